"""A program that is asked to compute: the engine's or a peer's. The conversation is described in bench.cpp."""
import os
import resource
import signal
import subprocess
import sys
import time

PROGRESS = 20   # seconds between two words on how far a loop is


def followed(items, about):
    """The items one by one; a loop that takes long says on standard error how far it is."""
    said = time.perf_counter()
    for at, item in enumerate(items):
        if time.perf_counter() - said > PROGRESS:
            said = time.perf_counter()
            print(f"bench:   {about}: {at} of {len(items)}", file=sys.stderr, flush=True)
        yield item


class Cannot(Exception):
    """What a program will not or can not do, in its own words."""


class Worker:
    """One process with a number of threads; it lives until close(). limit: seconds of the processor after which it is cut off."""

    def __init__(self, command, threads, folder, environment=None, limit=None):
        self.limit = limit
        self.name = os.path.basename(command[-1])
        self.log = open(os.path.join(folder, f"{self.name}.log"), "a")
        variables = {**os.environ, "OMP_NUM_THREADS": str(threads), **(environment or {})}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True,
                                        cwd=folder, env=variables, preexec_fn=limit and self.hold)
        try:
            self.machine = self.reply()
        except Cannot:
            self.close()
            raise

    def hold(self):
        resource.setrlimit(resource.RLIMIT_CPU, (self.limit, self.limit))

    def reply(self):
        line = self.process.stdout.readline().strip()
        word, _, rest = line.partition(" ")
        if word == "cannot":
            raise Cannot(rest)
        if not word and self.limit and self.process.wait() in (-signal.SIGKILL, -signal.SIGXCPU):
            raise Cannot(f"cut off at {self.limit} s of the processor")
        if not word:
            raise Cannot(f"{self.name} broke off; its last words are in {self.log.name}")
        return dict(pair.split("=", 1) for pair in rest.split())

    def ask(self, word, **fields):
        request = " ".join([word, *(f"{name}={value}" for name, value in fields.items())])
        try:
            print(request, file=self.process.stdin, flush=True)
        except BrokenPipeError:
            pass
        return self.reply()

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.log.close()

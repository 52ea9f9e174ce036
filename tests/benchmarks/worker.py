"""A program that is asked to compute: the engine's or a peer's. The conversation is described in bench.cpp."""
import os
import subprocess


class Cannot(Exception):
    """What a program will not or can not do, in its own words."""


class Worker:
    """One process with a number of threads; it lives until close()."""

    def __init__(self, command, threads, folder, environment=None):
        self.name = os.path.basename(command[-1])
        self.log = open(os.path.join(folder, f"{self.name}.log"), "a")
        variables = {**os.environ, "OMP_NUM_THREADS": str(threads), **(environment or {})}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True,
                                        cwd=folder, env=variables)
        try:
            self.machine = self.reply()
        except Cannot:
            self.close()
            raise

    def reply(self):
        line = self.process.stdout.readline().strip()
        word, _, rest = line.partition(" ")
        if word == "cannot":
            raise Cannot(rest)
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

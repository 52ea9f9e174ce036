"""What the programs of the peers have in common: they answer the same requests as bench.cpp (see there).

A peer is a class with prepare(fields) -> nothing, run() -> nothing and answer() -> arrays; it refuses with Cannot.
"""
import os
import sys
import time

REPLIES = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)   # whatever libraries print, on being imported or later, is not a reply

import numpy


class Cannot(Exception):
    """A request that this peer has no way to fulfil, in a few words."""


class Inputs:
    """What fovea_bench wrote: (N, H, d) queries and keys, (N, H, dv) values and output gradient, times, offsets."""

    def __init__(self, fields):
        self.heads = int(fields.get("heads", 1))
        read = lambda name: numpy.fromfile(f"{fields['folder']}/{name}", numpy.float32)
        rows = len(read("times"))
        self.queries, self.keys, self.values, self.output_gradient = (
            read(name).reshape(rows, self.heads, -1) for name in ("queries", "keys", "values", "output_gradient"))
        self.times = read("times")
        self.offsets = numpy.fromfile(f"{fields['folder']}/offsets", numpy.int64)
        self.sizes = numpy.diff(self.offsets)


def timed(peer, seconds):
    wall, cpu, repetitions = time.perf_counter(), time.process_time(), 0
    while repetitions == 0 or time.perf_counter() - wall < seconds:
        peer.run()
        repetitions += 1
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return f"time cpu={cpu / repetitions:.9g} wall={wall / repetitions:.9g} repetitions={repetitions}"


def answer_to(peer, word, fields):
    if word == "prepare":
        peer.prepare(fields)
        peer.run()
        found = peer.found() if hasattr(peer, "found") else {}   # what it noticed: name -> number
        return " ".join(["ready", *(f"{name}={value}" for name, value in found.items())])
    if word == "run":
        return timed(peer, float(fields["seconds"]))
    if word == "answer":
        kind = numpy.float64 if fields.get("kind") == "double" else numpy.float32
        with open(fields["file"], "wb") as file:
            for part in peer.answer():
                file.write(numpy.ascontiguousarray(part, dtype=kind).tobytes())
        return "ready"
    raise Cannot(f"no request '{word}'")


def serve(peer, version):
    """Says what it is, then answers each line of the standard input with a line."""
    print(f"machine version={version}", file=REPLIES, flush=True)
    for line in sys.stdin:
        word, *pairs = line.split()
        try:
            reply = answer_to(peer, word, dict(pair.split("=", 1) for pair in pairs))
        except Exception as error:
            lines = str(error).strip().splitlines() or [type(error).__name__]
            reply = f"cannot {lines[0][:200]}"
        print(reply, file=REPLIES, flush=True)

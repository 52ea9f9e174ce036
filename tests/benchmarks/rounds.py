"""Runs entrants side by side, in turns, and gives the median of their costs."""
import contextlib
import dataclasses
import statistics
import time

from worker import Cannot, Worker

OURS = ("fovea", "before")   # before: an earlier build of ours
TOLERANCE = 1e-5   # of an answer, times its largest entry where that is above 1: single precision, sums of 1e5 terms


class Mismatch(Exception):
    """A peer's answer is not ours."""


@dataclasses.dataclass
class Entrant:
    """system: "fovea" or a peer's name; fields: of its request `prepare`; tolerance: of its answer against ours;
    kind: of the numbers of the answer, float or double."""
    name: str
    system: str
    threads: int
    fields: dict
    tolerance: float = TOLERANCE
    kind: str = "float"


@dataclasses.dataclass
class Outcome:
    """Medians. seconds: a pass of each entrant that took part, processor time with 1 thread, else the wall's;
    wall: the same on the wall; peak: GFLOP/s with the threads of the first entrant; absent: entrant -> reason;
    error: the first one's; differences: of the peers' answers from ours; found: what a peer said on being prepared."""
    seconds: dict
    wall: dict
    peak: float
    pairs: float
    rows: float
    absent: dict
    memory: float
    error: float = None
    differences: dict = dataclasses.field(default_factory=dict)
    found: dict = dataclasses.field(default_factory=dict)


class Arena:
    """pause: seconds in which a program's threads stop spinning before the next one starts; finished: a run that --run names;
    limit: seconds of the processor after which a peer is cut off."""

    def __init__(self, program, peers, folder, rounds, seconds, pause=0.05):
        self.program, self.peers, self.folder = program, peers, folder
        self.rounds, self.seconds, self.pause = rounds, seconds, pause
        self.versions, self.finished, self.before, self.limit = {}, None, None, None

    def start(self, entrant):
        if entrant.system == "fovea":
            return Worker([self.program], entrant.threads, self.folder)
        if entrant.system == "before":
            return Worker([self.before], entrant.threads, self.folder)
        peer = self.peers.get(entrant.system)
        if peer is None or peer.reason:
            raise Cannot(peer.reason if peer else "left out")
        worker = Worker(peer.command, entrant.threads, self.folder, peer.environment, self.limit)
        self.versions[entrant.system] = worker.machine.get("version", "")
        return worker

    def prepare(self, entrant, worker):
        ours = entrant.system in OURS
        fields = {"system": "fovea" if ours else entrant.system.replace(" ", "_"), **entrant.fields}
        return worker.ask("prepare", **({} if ours else {"folder": "."}), **fields)

    def compare(self, entrant, peer, ours):
        peer.ask("answer", file="answer", kind=entrant.kind)
        found = ours.ask("compare", file="answer", kind=entrant.kind)
        error, allowed = float(found["max"]), entrant.tolerance * max(1.0, float(found["largest"]))
        if not (error <= allowed and int(found["of"]) > 0):
            raise Mismatch(f"{entrant.name}: differs by {error:.2g}, more than {allowed:.2g}")
        return error

    def measure(self, entrants, exact=False):
        """The first entrant is ours and writes the inputs; answers of peers are compared with it. An entrant of ours that
        cannot ends the measurement with Cannot. exact: finds the first one's error too."""
        with contextlib.ExitStack() as stack:
            workers, absent, first, differences, found = {}, {}, None, {}, {}
            for entrant in entrants:
                try:
                    worker = self.start(entrant)
                    stack.callback(worker.close)
                    ready = self.prepare(entrant, worker)
                    if first is None:
                        first, size = worker, ready
                        first.ask("write", folder=".")
                    if entrant.system not in OURS:
                        differences[entrant.name] = self.compare(entrant, worker, first)
                        found[entrant.name] = ready
                    workers[entrant.name] = worker
                except Cannot as reason:
                    if entrant.system == "fovea":
                        raise
                    absent[entrant.name] = str(reason)
            costs, peaks = self.alternate(workers, first)
            outcome = self.outcome(entrants, costs, peaks, size, absent, float(first.ask("memory")["megabytes"]))
            outcome.differences, outcome.found = differences, found
            outcome.error = float(first.ask("exact")["max"]) if exact else None
            return outcome

    def alternate(self, workers, first):
        costs, peaks = {name: [] for name in workers}, []
        for _ in range(self.rounds):
            time.sleep(self.pause)
            peaks.append(float(first.ask("peak", seconds=self.seconds / 3)["gflops"]))
            for name, worker in workers.items():
                time.sleep(self.pause)
                costs[name].append(worker.ask("run", seconds=self.seconds))
        return costs, peaks

    def outcome(self, entrants, costs, peaks, size, absent, memory):
        median = lambda name, clock: statistics.median(float(cost[clock]) for cost in costs[name])
        took_part = [entrant for entrant in entrants if entrant.name in costs]
        seconds = {e.name: median(e.name, "cpu" if e.threads == 1 else "wall") for e in took_part}
        wall = {e.name: median(e.name, "wall") for e in took_part}
        return Outcome(seconds, wall, statistics.median(peaks), float(size["pairs"]), float(size["rows"]), absent, memory)

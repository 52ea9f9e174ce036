"""What `scripts/bench scale` measures: a sweep by one process and by several, and one crowd over ranks; with --before, an
earlier program in turns with ours."""
import dataclasses
import json
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import time
import typing

from record import Record
from worker import Cannot

MEGABYTE = 1e6
SWEEP = ["sweep", "opinion.temperature", "--set", "agents.count=12", "--set", "temperature.count=2", "--set", "rest.steps_max=8",
         "--set", "transition.find=false", "-q"]
CROWD = {"model.name": "attention", "rest.tolerance": 0, "record.states": 2, "record.agents": 0}
NOISY = {"model.noise": 0.01, "model.stubbornness": 0.1}
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
BYTES = {"double": 8, "int64": 8, "float": 4, "uint8": 1}


@dataclasses.dataclass
class Took:
    wall: float
    processor: float   # of the process and of those that it waited for
    peak: float        # bytes


def took(programs):
    """Starts them all at once."""
    start = time.monotonic()
    processes = [subprocess.Popen(list(map(str, words)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, **AS_ROOT})
                 for words in programs]
    processor, peak = 0, 0
    for process in processes:
        error = process.stderr.read().decode()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stderr.close()
        if process.returncode:
            raise RuntimeError(f"{' '.join(process.args)}: exit code {process.returncode}: {error}")
        processor += used.ru_utime + used.ru_stime
        peak = max(peak, 1024 * used.ru_maxrss)
    return Took(time.monotonic() - start, processor, peak)


@dataclasses.dataclass
class Place:
    """Where a case is measured, and how."""
    program: pathlib.Path
    arena: typing.Any
    threads: int
    quick: bool

    def size(self, whole, small):
        return small if self.quick else whole

    def folder(self, name="", fresh=True):
        path = pathlib.Path(self.arena.folder) / f"scale{name}"
        if fresh:
            shutil.rmtree(path, ignore_errors=True)
        return path


@dataclasses.dataclass
class Case:
    """In turns: ours, and the program before if it is compared. measure: takes a Place; gives the value or, where what is
    required depends on what was found, (value, most, note)."""
    name: str
    unit: str
    measure: typing.Callable
    sign: str            # of what is required: "<=" or ">="
    limit: float = None  # None: measure() gives it
    threads: tuple = (1,)
    compared: bool = False
    note: str = ""

    def run(self, arena, threads, quick):
        if threads not in self.threads:
            return
        programs = {"ours": arena.program, **({"ours before": arena.before} if self.compared and arena.before else {})}
        places = {name: Place(pathlib.Path(program).with_name("fovea"), arena, threads, quick) for name, program in programs.items()}
        values = {name: [] for name in places}
        try:
            for _ in range(arena.rounds):
                for name, place in places.items():
                    found = self.measure(place)
                    value, limit, note = found if isinstance(found, tuple) else (found, self.limit, self.note)
                    values[name].append(value)
        except Cannot as reason:
            yield Record(self.name, threads, unit=self.unit, note=f"left out: {reason}")
            return
        ours, before = [statistics.median(values[name]) if name in values else None for name in ("ours", "ours before")]
        holds = ours <= limit if self.sign == "<=" else ours >= limit
        yield Record(self.name, threads, ours, self.unit, "ours before" if before else "", before, before / ours if before else None,
                     required=f"{self.sign} {limit:.3g} {self.unit}", holds=None if quick else holds, note=note)


def sweep(program, points, folder, *words):
    return [program, *SWEEP, "--grid", f"model.stubbornness=lin:0.05..0.3:{points}", "-o", folder, *words]


def point(place):
    points = place.size(1000, 20)
    return 1e3 * took([sweep(place.program, points, place.folder(), "-t", place.threads)]).processor / points


def two_shards(place):
    points = place.size(1000, 20)
    one = took([sweep(place.program, points, place.folder(1), "-t", 1)])
    folder = place.folder(2)
    return one.wall / took([sweep(place.program, points, folder, "-t", 1, "--shard", f"{index}/2") for index in (1, 2)]).wall


def finished(place, points):
    """A sweep whose points are finished, computed once, and its directory; without its result, which is merged again."""
    path = place.folder(f"-finished{points}", fresh=False)
    if not path.exists():
        took([sweep(place.program, points, path)])
    directory = next(path.glob("opinion.temperature-*"))
    (directory / "DONE").unlink(missing_ok=True)
    return path, directory


def start(place):
    points = place.size(10000, 20)
    path, directory = finished(place, points)
    for done in sorted(directory.glob("points/*/DONE"))[:2]:
        done.unlink()
    return took([sweep(place.program, points, path, "-t", 1, "--points", 0)]).wall


def merge_of(points):
    def peak(place):
        path, directory = finished(place, place.size(points, 20))
        used = took([sweep(place.program, place.size(points, 20), path, "-t", 1)])
        said = subprocess.run([place.program, "inspect", directory / "result.h5", "--json"], capture_output=True, text=True, check=True)
        shown = json.loads(said.stdout)
        size = sum(BYTES.get(each["type"], 0) * math.prod(shown["dimensions"][name] for name in each["dimensions"])
                   for each in shown["variables"]) / MEGABYTE
        note = f"arrays of {size:.2g} MB, {(directory / 'result.h5').stat().st_size / MEGABYTE:.2g} MB on the disk"
        return used.peak / MEGABYTE, 4 * size + 64, note
    return peak


def launched(place, ranks):
    """The program over so many ranks."""
    program = place.program.with_name("fovea-mpi")
    if not program.exists():
        raise Cannot("fovea-mpi is missing; it is built where CMake finds MPI")
    if shutil.which("mpirun") is None:
        raise Cannot("mpirun is missing")
    return ["mpirun", "--bind-to", "none", "-n", ranks, program]


def crowd(program, place, agents, steps, threads, more=()):
    """One run in a folder of its own; what it took, and its manifest."""
    folder = place.folder("-crowd")
    settings = {**CROWD, **dict(more), "agents.count": agents, "run.steps": steps}
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    used = took([[*program, "run", "opinion.simulate", *words, "-t", threads, "-q", "-y", "-o", folder]])
    return used, json.loads(next(folder.glob("*/manifest.json")).read_text(encoding="utf-8"))


def step(program, place, agents, threads, steps=(3, 33), clock="wall_seconds"):
    """Seconds of a step: the difference of two runs with different numbers of steps."""
    few, many = (crowd(program, place, agents, count, threads)[1][clock] for count in steps)
    return max(many - few, 1e-9) / (steps[1] - steps[0])


def agents_of(place, whole):
    return place.size(whole, 20000)


def one_step(place):
    agents = agents_of(place, 4_000_000)
    return 1e9 * step([place.program], place, agents, 1, clock="cpu_seconds") / agents


def two_ranks_compared(threads):
    def gain(place):
        agents = agents_of(place, 4_000_000)
        return step(launched(place, 1), place, agents, threads) / step(launched(place, 2), place, agents, 1)
    return gain


def weak(place):
    agents = agents_of(place, 2_000_000)
    return step(launched(place, 1), place, agents, 1) / step(launched(place, 2), place, 2 * agents, 1)


def bytes_an_agent(more):
    def difference(place):
        few, many = place.size((1_000_000, 4_000_000), (20_000, 200_000))
        peaks = [crowd([place.program], place, agents, 3, 1, more)[0].peak for agents in (few, many)]
        return max(peaks[1] - peaks[0], 1) / (many - few)
    return difference


def hundred_million(what):
    def found(place):
        agents = agents_of(place, 100_000_000)
        if what == "memory":
            return crowd([place.program], place, agents, 1, 2)[0].peak / 1e9
        return step([place.program], place, agents, 2, (1, 6))
    return found


def all_cases(quick, data):
    return [
        Case("1000 trivial points, processor time a point", "ms", point, "<=", 12, (1, 2), compared=True),
        Case("two shards compared with one process of half the threads", "x", two_shards, ">=", 1.85, (2,), note="on the wall"),
        Case("start of a shard, 10,000 points finished", "s", start, "<=", 1, note="on the wall"),
        Case("merge of 1000 points, peak memory", "MB", merge_of(1000), "<=", compared=True),
        Case("merge of 10,000 points, peak memory", "MB", merge_of(10000), "<=", compared=True),
        Case("step of 4e6 agents", "ns", one_step, "<=", 7.7, compared=True, note="an agent, processor time"),
        Case("2 ranks x 1 thread compared with 1 x 1", "x", two_ranks_compared(1), ">=", 1.8, (2,), note="4e6 agents"),
        Case("2 ranks x 1 thread compared with 1 rank x 2 threads", "x", two_ranks_compared(2), ">=", 0.93, (2,), note="4e6 agents"),
        Case("weak: 2e6 agents a rank, 1 to 2 ranks", "x", weak, ">=", 0.9, (2,)),
        Case("memory of an agent, plain", "B", bytes_an_agent({}), "<=", 32, compared=True, note="peaks of 1e6 and 4e6"),
        Case("memory of an agent, noise and stubbornness", "B", bytes_an_agent(NOISY), "<=", 48, compared=True,
             note="peaks of 1e6 and 4e6"),
        Case("1e8 agents, peak memory", "GB", hundred_million("memory"), "<=", 3.5, (2,)),
        Case("1e8 agents, a step", "s", hundred_million("time"), "<=", 0.6, (2,)),
    ]

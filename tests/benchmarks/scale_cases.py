"""What `scripts/bench scale` measures: a sweep by one process and by several. Beside it, with --before, an earlier program."""
import dataclasses
import os
import pathlib
import shutil
import statistics
import subprocess
import time

from record import Record

MEGABYTE = 1e6
SWEEP = ["sweep", "opinion.temperature", "--set", "agents.count=12", "--set", "temperature.count=2", "--set", "rest.steps_max=8",
         "--set", "transition.find=false", "-q"]


@dataclasses.dataclass
class Took:
    wall: float
    processor: float   # of the process and of those that it waited for
    peak: float        # bytes


def took(programs):
    """Starts them all at once."""
    start = time.monotonic()
    processes = [subprocess.Popen(list(map(str, words)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for words in programs]
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


def sweep(program, points, folder, *words):
    return [program, *SWEEP, "--grid", f"model.stubbornness=lin:0.05..0.3:{points}", "-o", folder, *words]


class Case:
    """In turns: ours, and the program before if there is one."""

    def programs(self, arena):
        found = {"ours": pathlib.Path(arena.program).with_name("fovea")}
        if arena.before:
            found["ours before"] = pathlib.Path(arena.before).with_name("fovea")
        return found

    def folder(self, arena, name=""):
        path = pathlib.Path(arena.folder) / f"scale{name}"
        shutil.rmtree(path, ignore_errors=True)
        return path

    def run(self, arena, threads, quick):
        if threads not in self.threads:
            return
        values = {name: [] for name in self.programs(arena)}
        for _ in range(arena.rounds):
            for name, program in self.programs(arena).items():
                values[name].append(self.measured(program, arena, threads, quick))
        middle = {name: statistics.median(each) for name, each in values.items()}
        before = middle.get("ours before")
        yield Record(self.name, threads, middle["ours"], self.unit, "ours before" if before else "", before,
                     before / middle["ours"] if before else None, required=self.required(),
                     holds=None if quick else self.holds(middle["ours"]), note=self.note)


@dataclasses.dataclass
class Point(Case):
    name: str = "1000 trivial points, processor time a point"
    unit: str = "ms"
    threads: tuple = (1, 2)
    note: str = ""

    def measured(self, program, arena, threads, quick):
        points = 20 if quick else 1000
        return 1e3 * took([sweep(program, points, self.folder(arena), "-t", threads)]).processor / points

    def required(self):
        return "<= 12 ms"

    def holds(self, value):
        return value <= 12


@dataclasses.dataclass
class TwoShards(Case):
    name: str = "two shards beside one process of half the threads"
    unit: str = "x"
    threads: tuple = (2,)
    note: str = "on the wall"

    def programs(self, arena):
        return {"ours": super().programs(arena)["ours"]}

    def measured(self, program, arena, threads, quick):
        points = 20 if quick else 1000
        one = took([sweep(program, points, self.folder(arena, 1), "-t", 1)])
        folder = self.folder(arena, 2)
        two = took([sweep(program, points, folder, "-t", 1, "--shard", f"{index}/2") for index in (1, 2)])
        return one.wall / two.wall

    def required(self):
        return ">= 1.85 x"

    def holds(self, value):
        return value >= 1.85


class Finished(Case):
    """Beside points that are finished: computed once, by ours."""

    def made(self, arena, points):
        path = pathlib.Path(arena.folder) / f"finished{points}"
        if not path.exists():
            took([sweep(self.programs(arena)["ours"], points, path)])
        return path

    def without(self, path, points):
        """The folder with the sweep and so many of its points to be finished again."""
        directory = next(path.glob("opinion.temperature-*"))
        for done in [directory / "DONE", *sorted(directory.glob("points/*/DONE"))[:points]]:
            done.unlink(missing_ok=True)
        return directory


@dataclasses.dataclass
class Start(Finished):
    name: str = "start beside 10,000 finished points"
    unit: str = "s"
    threads: tuple = (1,)
    note: str = "on the wall"

    def programs(self, arena):
        return {"ours": super().programs(arena)["ours"]}

    def measured(self, program, arena, threads, quick):
        points = 20 if quick else 10000
        path = self.made(arena, points)
        self.without(path, 2)
        return took([sweep(program, points, path, "-t", 1, "--points", 0)]).wall

    def required(self):
        return "<= 1 s"

    def holds(self, value):
        return value <= 1


@dataclasses.dataclass
class Merge(Finished):
    name: str = "merge of 1000 points, peak memory"
    unit: str = "MB"
    threads: tuple = (1,)
    note: str = ""
    most: float = 0

    def measured(self, program, arena, threads, quick):
        points = 20 if quick else 1000
        path = self.made(arena, points)
        directory = self.without(path, 0)
        size = (directory / "result.h5").stat().st_size
        self.most = 4 * size / MEGABYTE + 64
        self.note = f"the merged result has {size / MEGABYTE:.2g} MB"
        return took([sweep(program, points, path, "-t", 1)]).peak / MEGABYTE

    def required(self):
        return f"<= {self.most:.0f} MB"

    def holds(self, value):
        return value <= self.most


def all_cases(quick, data):
    return [Point(), TwoShards(), Start(), Merge()]

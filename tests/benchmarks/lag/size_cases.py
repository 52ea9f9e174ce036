"""Long and wide tables through the whole command, from the file to the page, with everything that it does unasked."""
import dataclasses
import math
import pathlib
import random
import time

from ehr import program
from record import Record


def write_table(path, rows, series, seed=61000):
    """Each series has a memory, and every second one drives the next after one to three steps."""
    draw = random.Random(seed).gauss
    past = [[0.0] * series for _ in range(4)]
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(f"x{each + 1}" for each in range(series)) + "\n")
        for _ in range(rows):
            now = [0.5 * past[-1][each] + (0.3 * past[-1 - each % 3][each - 1] if each % 2 else 0.0) + draw(0, 1) for each in range(series)]
            past = past[1:] + [now]
            file.write(",".join(f"{value:.5g}" for value in now) + "\n")


@dataclasses.dataclass
class Size:
    """file: a table in place of a drawn one; seconds: on the wall with two threads, as all figures the least of `times`; gigabytes: of
    peak memory."""
    rows: int
    series: int
    seconds: float = math.inf
    aim: float = math.inf
    gigabytes: float = math.inf
    times: int = 1
    file: pathlib.Path = None

    @property
    def name(self):
        return f"{self.series} series x {self.rows} steps, the whole command"

    def run(self, arena, threads, quick):
        if threads != 2:
            return
        path, costs = self.file or pathlib.Path(arena.folder, f"size_{self.rows}_{self.series}.csv"), []
        if not self.file:
            write_table(path, max(100, self.rows // 100) if quick else self.rows, self.series // 4 if quick else self.series)
        for each in range(1 if quick else self.times):   # a folder each: a finished run would be read
            begun = time.perf_counter()
            cost = program.call([program.fovea(arena), "lags", path, "--json", "--quiet", "--threads", threads, "--output",
                                 pathlib.Path(arena.folder, f"sizes_{self.series}_{each}")])
            costs.append((time.perf_counter() - begun, cost.seconds, cost.megabytes / 1000))
        for value, unit, most, about in zip(map(min, zip(*costs)), ("s", "s", "GB"), (self.seconds, math.inf, self.gigabytes),
                                            ("on the wall", "of the processor", "peak memory")):
            yield Record(self.name, threads, value, unit, required=f"<= {most:g}" if most < math.inf else "",
                         holds=None if quick or most == math.inf else value <= most,
                         note=f"{about}, the least of {len(costs)}" + (f"; aim {self.aim:g} s" if self.aim < math.inf and most == self.seconds else ""))


def all_cases(data):
    var100 = data and data / "synth" / "var100_T500_tau5_s0.csv.gz"
    return [Size(500, 100, 0.7, 0.5, times=5, file=var100 if var100 and var100.exists() else None), Size(300_000, 5, 2.5, 1.5),
            Size(1_000_000, 10, 20, 12, 1), Size(200, 2000, gigabytes=2)]

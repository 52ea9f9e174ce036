"""Irregularly sampled pairs of `scripts/bench lag`: how near the lag is, how often its interval holds the truth, how often
unrelated curves are taken for related."""
import array
import csv
import dataclasses
import os
import pathlib
import re
import time

from record import Record
from rounds import Entrant

ALARM_LEVEL = 0.01   # at which a pair counts when nobody says anything
OTHER_LEVEL = 0.05
THREADS = 2   # the answer is the same for any number


def found_lag(arena, path, driver, response, **more):
    """(lag, low68, high68, low95, high95, false alarm, centroid), seconds on the wall of the one pass there is."""
    fields = {"problem": "lag_pair", "file": str(path), "driver": driver, "response": response, **more}
    worker = arena.start(Entrant("ours", "fovea", THREADS, fields))
    try:
        start = time.perf_counter()
        worker.ask("prepare", **fields)
        seconds = time.perf_counter() - start
        worker.ask("write", folder=arena.folder)
    finally:
        worker.close()
    return array.array("d", pathlib.Path(arena.folder, "lags").read_bytes()), seconds


def rows_of(path):
    with open(path, newline=None, encoding="utf-8") as file:
        return list(csv.DictReader(file))


@dataclasses.dataclass
class Pairs:
    """A file of pairs; truth: NAME.truth.csv beside it."""
    name: str
    file: str
    data: pathlib.Path

    def run(self, arena, threads, quick):
        path = self.data / self.file
        if threads == 1 and path.exists():
            rows = rows_of(str(path).replace(".csv.gz", ".truth.csv"))
            yield from self.records(arena, path, rows[:2] if quick else rows, quick)

    def line(self, about, value, required, holds, quick, note=""):
        return Record(f"{self.name}: {about}", 1, value, "", required=required, holds=None if quick else holds, note=note)


class MockPairs(Pairs):
    def records(self, arena, path, rows, quick):
        near = covered = known = alarms = others = unrelated = missed = 0
        seconds = []
        for row in rows:
            numbers, took = found_lag(arena, path, row["cause"], row["effect"], group=row["pair"])
            lag, low, high, alarm = numbers[0], numbers[1], numbers[2], numbers[5]
            seconds.append(took)
            if row["lag"]:
                truth = float(row["lag"])
                known += 1
                near += abs(lag - truth) <= 0.1 * truth
                covered += low <= truth <= high
                missed += alarm > ALARM_LEVEL
            else:
                unrelated += 1
                alarms += alarm <= ALARM_LEVEL
                others += alarm <= OTHER_LEVEL
        share = lambda part, whole: part / whole if whole else None
        note = f"{known} related pairs; {sum(seconds) / len(seconds):.3g} s a pair with {THREADS} threads"
        yield self.line("lag within 10 %", share(near, known), ">= 0.75", known and near / known >= 0.75, quick, note)
        inside = share(covered, known)
        yield self.line("68 % interval holds", inside, ".60 to .76", inside and 0.60 <= inside <= 0.76, quick)
        yield self.line("false alarms", share(alarms, unrelated), "<= 0.05", unrelated and alarms <= 0.05 * unrelated, quick,
                        f"{unrelated} unrelated pairs, by the default level {ALARM_LEVEL}; at {OTHER_LEVEL}: {others}; "
                        f"{missed} of {known} related ones do not count")


class Published(Pairs):
    """Each line of the truth has a lag and the range that is allowed, and perhaps a range of days. The published lags are
    centroids of the interpolated correlation, so that ours stands beside the posterior's median."""
    covers = False

    def records(self, arena, path, rows, quick):
        inside, words, covering, centroids = 0, [], 0, 0
        for row in rows:
            days = re.search(r"(\d{5})-(\d{5})", row["kind"])
            more = {"from": days.group(1), "to": days.group(2)} if days else {}
            numbers, _ = found_lag(arena, path, row["cause"], row["effect"], **more)
            low, high = float(row["lag_lo"]), float(row["lag_hi"])
            if not days:   # made data: what is required is stated by the case
                low, high = float(row["lag"]) - self.near(row), float(row["lag"]) + self.near(row)
            inside += low <= numbers[0] <= high
            centroids += low <= numbers[6] <= high
            covering += numbers[3] <= float(row["lag"]) <= numbers[4]
            words.append(f"{numbers[0]:.1f} [{numbers[1]:.1f}, {numbers[2]:.1f}]")
        note = f"95 % intervals hold {covering}; " + ", ".join(words)
        wanted = inside == len(rows) and (covering == len(rows) or not self.covers)
        yield self.line("lags inside", inside, f"{len(rows)} of {len(rows)}", wanted, quick, note)
        if not self.covers:
            yield Record(f"{self.name}: centroids inside", 1, centroids, note="interpolated correlation, in the same result")

    @staticmethod
    def near(row):
        return 3 if float(row["lag"]) < 200 else 5


class Made(Published):
    covers = True


def all_cases(quick, data):
    if not data:
        return []
    return [Published("NGC 5548", "irregular/ngc5548.csv.gz", data),
            Made("JAVELIN's mock", "irregular/javelin_mock.csv.gz", data),
            MockPairs("60 irregular pairs", "irregular/mock_pairs.csv.gz", data)]

"""Rows of `scripts/bench ehr` that examine ours alone: known half-lives found again, decay against none, contributions of ten seeds."""
import dataclasses
import json
import pathlib
import statistics

from ehr import program
from record import Record

EXPERIMENTS = program.ROOT / "experiments" / "ehr"


@dataclasses.dataclass
class KnownDecay:
    """A sweep of ehr.known_decay over seeds: three half-lives of 6 h and more each."""
    quick: bool
    name: str = "known half-lives"

    SEEDS, HALF_LIVES = 34, [6, 12, 24]   # 102 half-lives
    BOUNDS = [("error", "error_percent", "%", "<= 5", lambda value: value <= 5),
              ("attention on the variable", "mean_mass", "", ">= 0.95", lambda value: value >= 0.95),
              ("90 % intervals that hold the truth", "covered_percent", "%", "84 to 96", lambda value: 84 <= value <= 96)]

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        runs = pathlib.Path(arena.folder, "known_decay")
        sizes = [] if not quick else ["--set", "cases.training=500", "--set", "cases.held_out=200"]
        program.call([program.fovea(arena), "sweep", EXPERIMENTS / "known_decay.toml", "--seeds", 2 if quick else self.SEEDS, "-q",
                      "-o", runs, "--set", f"half_lives={json.dumps(self.HALF_LIVES)}", *sizes], allowed=(0, program.CHECK_FAILED))
        found = program.Run(program.fovea(arena), next(runs.glob("ehr.known_decay-*")))
        count = len(self.HALF_LIVES) * (2 if quick else self.SEEDS)
        for words, name, unit, required, holds in self.BOUNDS:
            value = statistics.fmean(float(row[name]) for row in found.rows(name))
            yield Record(f"{self.name}: {words}", 1, value, unit, required=required, holds=None if quick else holds(value),
                         note=f"{count} half-lives of 6, 12 and 24 h, each from 4000 simulated stays")


def of_sets(measured):
    """The words that make an experiment read sets A and B with their outcomes."""
    events = json.dumps([str(path) for path in program.events_files(measured.data)])
    outcomes = json.dumps([str(measured.data / "outcomes.csv")])
    return ["--set", f"data.events={events}", "--set", f"data.outcomes={outcomes}"]


@dataclasses.dataclass
class Decay:
    """ehr.ablation of sets A and B: learned decay against none."""
    measured: object
    name: str = "decay against none"

    LEAST = 0.004

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        runs = pathlib.Path(arena.folder, "ablation")
        program.call([program.fovea(arena), "run", EXPERIMENTS / "ablation.toml", "-q", "-o", runs, *(["--quick"] if quick else []),
                      *of_sets(self.measured), "--set", f"data.folds={self.measured.data / 'split.csv'}",
                      "--set", 'ablation.parts=["no decay"]'])
        found = program.Run(program.fovea(arena), next(runs.glob("ehr.ablation-*")))
        value, low, high = (float(found.rows("auroc_added" + end)[0]["auroc_added" + end]) for end in ("", "_low", "_high"))
        yield Record(self.name, 1, value, "AUROC", required=f">= {self.LEAST}, interval above 0",
                     holds=None if quick else value >= self.LEAST and low > 0,
                     note=f"95 % interval {low:.3f} to {high:.3f}, paired over patients and members; one member of attention alone")


@dataclasses.dataclass
class Contributions:
    """Ten members from ten random starts, none of which saw the tested stays."""
    measured: object
    name: str = "contributions"

    MEMBERS = 10

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        runs = pathlib.Path(arena.folder, "contributions")
        program.call([program.fovea(arena), "run", EXPERIMENTS / "mortality.toml", "-q", "-o", runs, *(["--quick"] if quick else []),
                      *of_sets(self.measured), "--set", "split.folds=0", "--set", "split.validation=0.15", "--set", "trees.rounds=0",
                      "--set", "half_lives.level=0", "--set", f"ensemble.members={2 if quick else self.MEMBERS}"])
        found = program.Run(program.fovea(arena), next(runs.glob("ehr.mortality-*")))
        agreement = found.scalar("contribution_agreement")
        yield Record(f"{self.name}: agreement of {self.MEMBERS} seeds", 1, agreement, required=">= 0.8",
                     holds=None if quick else agreement >= 0.8,
                     note="Spearman's correlation of the variables' contributions to a stay's risk, mean over stays and pairs of members")
        every, random, top = (float(row["auroc_of_events_seen"]) for row in found.rows("auroc_of_events_seen")[:3])
        ratio = (every - top) / max(every - random, 1e-4)
        yield Record(f"{self.name}: deletion", 1, ratio, "x", required=">= 5 x", holds=None if quick else ratio >= 5,
                     note=f"AUROC {every:.3f}; without the tenth of the values with the largest contributions {top:.3f}, "
                          f"without a random tenth {random:.3f}")

"""The programs of `scripts/bench ehr` as they are run by hand: fovea, and peer.py in its own Python."""
import csv
import dataclasses
import functools
import hashlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from worker import Cannot

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
CONFIG = ROOT / "experiments" / "ehr" / "mortality.toml"
PEERS = "risk peers"   # in peers.py
ONE_THREAD = {"OMP_NUM_THREADS": "1"}


@dataclasses.dataclass
class Cost:
    """seconds: of the processor, all threads; rows: that were written, where a table was."""
    seconds: float
    megabytes: float
    said: str = ""
    rows: int = 0


CHECK_FAILED = 6   # exit code of a run whose results are there, and a check of them failed


def call(words, environment=None, allowed=(0,)):
    """Runs a program to its end; its standard error goes where ours goes. allowed: exit codes."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        launch = [sys.executable, pathlib.Path(__file__).with_name("launch.py"), report.name]
        process = subprocess.run([str(word) for word in [*launch, *words]], stdout=subprocess.PIPE, text=True, check=False,
                                 env={**os.environ, **(environment or {})})
        if process.returncode not in allowed:
            raise Cannot(f"'{' '.join(str(word) for word in words)[:120]}' ended with exit code {process.returncode}")
        used = json.load(report)
    return Cost(used["seconds"], used["peak"] / (2 ** 20 if sys.platform == "darwin" else 1024), process.stdout)


def fovea(arena):
    command = pathlib.Path(arena.program).with_name("fovea")
    if not command.exists():
        raise Cannot(f"there is no {command}: build it too")
    return command


def events_files(data):
    return [data / f"physionet2012_set-{letter}.csv.gz" for letter in "ab"]


class Run:
    """A finished run of ehr.mortality. Its result holds aggregates and no stay's risk, so scores are read, not computed."""

    def __init__(self, command, folder):
        self.command, self.folder = command, pathlib.Path(folder)
        self.manifest = json.loads((self.folder / "manifest.json").read_text(encoding="utf-8"))

    @functools.cache
    def rows(self, variable):
        said = call([self.command, "export", self.folder, "--csv", "--variable", variable]).said
        return list(csv.DictReader(io.StringIO(said)))

    def score(self, title, predictor=None):
        """Of a cross-validated predictor, pooled over folds; by default of ours, which is the first."""
        rows = self.rows("score_value")
        predictor = predictor or rows[0]["predictor"]
        return next(float(row["score_value"]) for row in rows if row["predictor"] == predictor and row["score"] == title)

    def scalar(self, name):
        return float(self.rows(name)[0][name])

    def at_hours(self):
        return {float(row["hour"]): float(row["auroc_at"]) for row in self.rows("auroc_at")}

    def learned_from(self, paths):
        known = {file["sha256"] for file in self.manifest["files"]["inputs"]}
        return all(hashlib.sha256(path.read_bytes()).hexdigest() in known for path in paths)


def run_mortality(arena, data, quick):
    """A new run, or the finished one that --run names, if it is of these files."""
    command, events, outcomes, folds = fovea(arena), events_files(data), data / "outcomes.csv", data / "split.csv"
    if arena.finished:
        found = Run(command, arena.finished)
        if not found.learned_from([*events, outcomes, folds]):
            raise Cannot(f"{arena.finished} is a run of other files than those of {data}")
        return found
    folder = pathlib.Path(arena.folder, "runs")
    named = lambda *paths: json.dumps([str(path) for path in paths])
    call([command, "run", CONFIG, "-o", folder, "-q", *(["--quick"] if quick else []), "--set", f"data.events={named(*events)}",
          "--set", f"data.outcomes={named(outcomes)}", "--set", f"data.folds={folds}"])
    return Run(command, next(folder.glob("ehr.mortality-*")))


def predict(arena, run, path):
    answer = pathlib.Path(arena.folder, "risks.csv")
    cost = call([fovea(arena), "predict", run.folder, path, "-t", "1", "-q", "-o", answer], ONE_THREAD)
    with open(answer, encoding="utf-8") as file:
        cost.rows = sum(1 for _ in file) - 1
    return cost


def inspect(arena, path):
    return call([fovea(arena), "inspect", path, "-q"], ONE_THREAD)


def peer(arena):
    found = arena.peers.get(PEERS)
    if found is None or found.reason:
        raise Cannot(found.reason if found else "left out")
    return found


def learn(arena, data, quick):
    """What peer.py writes: risks out of fold of each model, and processor seconds of each fold."""
    found, answer = peer(arena), pathlib.Path(arena.folder, "peers.json")
    call([*found.command, "learn", data, answer, *(["--quick"] if quick else [])], {**found.environment, **ONE_THREAD})
    learned = json.loads(answer.read_text(encoding="utf-8"))
    arena.versions.update(learned["versions"])
    return learned


def read_by_duckdb(arena, path):
    """Processor seconds, and rows."""
    found = peer(arena)
    said = json.loads(call([*found.command, "read", path], {**found.environment, **ONE_THREAD}).said)
    arena.versions["duckdb"] = said["version"]
    return said["seconds"], said["rows"]

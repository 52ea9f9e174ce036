"""fovea on files of jets, as it is run by hand, and what its runs and predictions say."""
import csv
import dataclasses
import json
import math
import pathlib
import statistics

from ehr.program import ONE_THREAD, Run, call, fovea
from ehr import scores
from ehr.scores import auroc
from worker import Cannot

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
CONFIGS = ROOT / "experiments" / "particle"


@dataclasses.dataclass(frozen=True)
class Sample:
    """Two files of jets with labels."""
    folder: pathlib.Path
    name: str

    @property
    def train(self):
        return self.folder / f"{self.name}_train.h5"

    @property
    def test(self):
        return self.folder / f"{self.name}_test.h5"


@dataclasses.dataclass
class Learned:
    """A run with one member: processor seconds of the whole command, and its probabilities of the jets of the test file."""
    run: Run
    seconds: float
    probabilities: list

    @property
    def auc(self):
        return self.run.score("AUROC")

    @property
    def calibration_error(self):
        return self.run.score("calibration error")

    def auc_of(self, number):
        """Of a single number of the jets, by which the experiment compares."""
        return next(float(row["auc"]) for row in self.run.rows("auc") if number in row["tagger"])


def run(arena, config, sample, settings, name):
    """Runs an experiment on the files of a sample by one thread: the run and what it cost."""
    folder = pathlib.Path(arena.folder, name)
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={json.dumps(value)}")]
    cost = call([fovea(arena), "run", CONFIGS / config, "-q", "-o", folder, "--threads", "1", "--set", f"data.train={sample.train}",
                 "--set", f"data.test={sample.test}", *words], ONE_THREAD, allowed=(0, 6))
    return Run(fovea(arena), next(each for each in folder.iterdir() if (each / "manifest.json").exists())), cost


def learn(arena, config, sample, seed, settings):
    name = "_".join([pathlib.Path(config).stem, sample.name, str(seed), *map(str, settings.values())]).replace("/", "_")
    settings = {"seed": seed, "ensemble.members": 1, **settings}
    found, cost = run(arena, config, sample, settings, name)
    return Learned(found, cost.seconds, predict(arena, found, sample.test)[1])


def predict(arena, run, path, threads=1):
    """What the command cost, and the probability of class 1 of each jet."""
    answer = pathlib.Path(arena.folder, "jets.csv")
    cost = call([fovea(arena), "predict", run.folder, path, "-t", str(threads), "-q", "-o", answer],
                {"OMP_NUM_THREADS": str(threads)})
    with open(answer, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    cost.rows = len(rows)
    column = next(name for name in ("score", "probability") if name in rows[0])
    return cost, [float(row[column]) for row in rows]


def together(members):
    """Probabilities of an ensemble: the mean of the members' logits."""
    logit = lambda p: math.log(max(p, 1e-12) / max(1 - p, 1e-12))
    return [1 / (1 + math.exp(-statistics.fmean(map(logit, each)))) for each in zip(*members)]


def calibration_error(probabilities, labels):
    """In ten bins of equal size."""
    ordered = sorted(zip(probabilities, labels))
    return scores.calibration_error([p for p, _ in ordered], [label for _, label in ordered])


def call_peer(arena, program, *words):
    """Runs a program in PyTorch's Python."""
    found = arena.peers.get("torch")
    if found is None or found.reason:
        raise Cannot(found.reason if found else "left out")
    return call([found.command[0], pathlib.Path(__file__).with_name(program), *words], {**found.environment, **ONE_THREAD})


def peer(arena, program, *words):
    """What it answers; the answer is JSON."""
    answer = pathlib.Path(arena.folder, "peer.json")
    call_peer(arena, program, *words, answer)
    said = json.loads(answer.read_text(encoding="utf-8"))
    arena.versions.update(said.pop("versions"))
    return said

"""Rows of `scripts/bench ehr` about the speed of learning, beside PyTorch: our model, and a Transformer over all events."""
import collections
import csv
import dataclasses
import gzip
import json
import pathlib

from ehr import experiments, program
from learning_cases import Training
from record import Record
from worker import Cannot


@dataclasses.dataclass
class Heads:
    """One member of the model of ehr.mortality on 60 % of sets A and B: processor seconds of an epoch."""
    measured: object
    name: str = "our model, learning"

    FEW, MANY, PEER_EPOCHS, FACTOR = 2, 6, 2, 4

    def ours(self, arena, epochs, quick):
        """Processor seconds of a whole run, and the AUROC of the stays that it did not learn from."""
        runs = pathlib.Path(arena.folder, f"heads_{epochs}")
        program.call([program.fovea(arena), "run", experiments.EXPERIMENTS / "mortality.toml", "-q", "-o", runs, "--threads", "1",
                      *experiments.of_sets(self.measured), "--set", "split.folds=0", "--set", "split.validation=0.2", "--set", "split.test=0.2",
                      "--set", "trees.rounds=0", "--set", "half_lives.level=0", "--set", "contributions.stays=0",
                      "--set", "trajectory.hours=[]", "--set", "ensemble.members=1", "--set", f"training.epochs={epochs}"])
        found = program.Run(program.fovea(arena), next(runs.glob("ehr.mortality-*")))
        return float(found.manifest["cpu_seconds"]), found.score("AUROC")

    def peer(self, arena, epochs):
        found, answer = arena.peers.get("torch"), pathlib.Path(arena.folder, "heads_peer.json")
        if found is None or found.reason:
            raise Cannot(found.reason if found else "left out")
        script = pathlib.Path(__file__).with_name("torch_heads_peer.py")
        program.call([found.command[0], script, self.measured.data, epochs, answer], {**found.environment, **program.ONE_THREAD})
        learned = json.loads(answer.read_text(encoding="utf-8"))
        arena.versions["torch"] = learned["version"]
        return learned

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        few, many = (1, 2) if quick else (self.FEW, self.MANY)
        (short, same), (long, _) = self.ours(arena, few, quick), self.ours(arena, many, quick)
        record = Record(self.name, 1, (long - short) / (many - few), "CPU s an epoch", "PyTorch, scatter", required=f">= {self.FACTOR} x",
                        note=f"one member, 4800 stays; AUROC after {few} epochs: ours {same:.3f}")
        try:
            learned = self.peer(arena, few)
            record.peer_value = min(learned["seconds"])
            record.ratio = record.peer_value / record.ours
            record.holds = None if quick else record.ratio >= self.FACTOR
            record.note += f", PyTorch {learned['auroc']:.3f} (other stays tested, no statics)"
        except Cannot as reason:
            record.note = str(reason)
        yield record


class Transformer(Training):
    """The training of `scripts/bench learning` on sets of as many tokens as stays of set A have events."""

    def __init__(self, measured):
        fields = {"problem": "learning", "sets": 192 if not measured.quick else 4, "batch_sets": 32 if not measured.quick else 2,
                  "features": 3, "width": 64, "heads": 4, "hidden": 256, "blocks": 2, "data": "stays.txt", "smallest": 1,
                  "largest": 10 ** 6}
        super().__init__("transformer over all events, d 64", fields, 4.0)
        self.measured = measured

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        with gzip.open(program.events_files(self.measured.data)[0], "rt", encoding="utf-8", newline="") as file:
            events = collections.Counter(row["stay_id"] for row in csv.DictReader(file))
        pathlib.Path(arena.folder, "stays.txt").write_text("\n".join(map(str, events.values())), encoding="utf-8")
        for row in super().run(arena, threads, quick):
            if not row.peer.endswith("compiled"):
                row.note = row.note or "steps of 32 stays of set A"
                yield row

"""Rows of `scripts/bench particle` about the Particle Transformer in its published shape, with the same weights on both sides."""
import dataclasses
import functools
import math
import pathlib
import statistics
import time

from particle import program
from particle.program import Sample
from record import Record
from worker import Cannot

SAME = 1e-5   # of logits
PEER = "part_peer.py"


@dataclasses.dataclass(eq=False)
class Part:
    """Forward from file to CSV and training by the command, beside ONNX Runtime and PyTorch."""
    folder: pathlib.Path   # of the jets
    name: str = "Particle Transformer"

    TESTED, LEARNED, FEW, MANY = 2048, 400, 1, 3
    SHARE = 0.9   # of the jets that ours learns from; the others validate
    # Weights that stay as they are, and probabilities that are the net's own.
    KEPT = {"training.epochs": 1, "training.learning_rate": 1e-30, "calibration.method": "none", "explain.cases": 0,
            "model.dropout": 0}

    @functools.cache
    def sample(self, arena, quick):
        """The first jets of both files, and the net's weights, in the arena's folder."""
        folder = pathlib.Path(arena.folder)
        program.call_peer(arena, PEER, "weights", folder)
        for part, count in ("train", self.LEARNED), ("test", self.TESTED):
            program.call_peer(arena, PEER, "slice", self.folder / f"toptag_like_{part}.h5", 40 if quick else count,
                              folder / f"part_{part}.h5")
        return Sample(folder, "part")

    @functools.cache
    def model(self, arena, quick):
        sample = self.sample(arena, quick)
        return program.run(arena, "part.toml", sample, {**self.KEPT, "model.weights": str(sample.folder / "part.safetensors")},
                           "part_1")

    def run(self, arena, threads, quick):
        try:
            yield from self.both(arena, quick) if threads == 1 else self.two_threads(arena, quick)
        except Cannot as reason:
            yield Record(self.name, threads, note=str(reason))

    def both(self, arena, quick):
        sample = self.sample(arena, quick)
        peer = program.peer(arena, PEER, "forward", sample.folder, sample.test, 0)
        costs = [program.predict(arena, self.model(arena, quick)[0], sample.test) for _ in range(1 if quick else 3)]
        rate = costs[0][0].rows / statistics.median(cost.seconds for cost, _ in costs)
        for name, least in ("padded", 5), ("sorted", 1.5):
            note = ("all to 128 constituents" if name == "padded" else f"batches of 8 of like sizes; PyTorch {peer['torch']:.0f} jets/s")
            yield self.beside("forward", rate, f"ONNX Runtime, {name}", peer[name], least, quick, f"ours: file to CSV; {note}")
        logits = [math.log(p / (1 - p)) for p in costs[0][1]]
        apart = max(abs(ours - theirs) for ours, theirs in zip(logits, peer["logits"]))
        yield Record(f"{self.name}: logits", 1, apart, "", "ONNX Runtime", peer["difference"], required=f"<= {SAME:g}",
                     holds=apart <= SAME, note="largest difference from PyTorch's, which are up to "
                     f"{max(map(abs, peer['logits'])):.2g}")
        yield self.training(arena, sample, quick)

    def training(self, arena, sample, quick):
        settings = {**self.KEPT, "model.weights": str(sample.folder / "part.safetensors"), "training.learning_rate": 1e-4,
                    "training.batch_cases": 32}
        seconds = [program.run(arena, "part.toml", sample, {**settings, "training.epochs": epochs}, f"part_{epochs}_epochs")[1].seconds
                   for epochs in (self.FEW, self.MANY)]
        peer = program.peer(arena, PEER, "training", sample.folder, sample.train, 0)
        rate = self.SHARE * (40 if quick else self.LEARNED) * (self.MANY - self.FEW) / (seconds[1] - seconds[0])
        return self.beside("forward and backward", rate, "PyTorch, sorted", peer["rate"], 3, quick,
                           "with the step; batches of 32; ours also looks at the jets that validate, a tenth")

    def beside(self, what, ours, peer, theirs, least, quick, note):
        record = Record(f"{self.name}: {what}", 1, ours, "jets/s", peer, theirs, ours / theirs, required=f">= {least:g} x", note=note)
        record.holds = None if quick else record.ratio >= least
        return record

    def tested(self, quick):
        return 40 if quick else self.TESTED

    def two_threads(self, arena, quick):
        """On the wall."""
        sample, (model, _) = self.sample(arena, quick), self.model(arena, quick)
        def seconds(threads):
            begun = time.perf_counter()
            program.predict(arena, model, sample.test, threads)
            return time.perf_counter() - begun
        turns = [(seconds(1), seconds(2)) for _ in range(1 if quick else 3)]
        one, two = (statistics.median(each) for each in zip(*turns))
        yield Record(f"{self.name}: forward", 2, self.tested(quick) / two, "jets/s", "ours, one thread",
                     self.tested(quick) / one, one / two, required=">= 1.85 x", holds=None if quick else one / two >= 1.85,
                     note="on the wall, the whole command")

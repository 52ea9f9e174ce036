"""What `scripts/bench particle` measures: taggers of jets beside PyTorch and ONNX Runtime. --data FOLDER has
toptag_like_train.h5, toptag_like_test.h5, qg_like_train.h5 and qg_like_test.h5 (see README.md). All times are those of a
processor, of one thread."""
import dataclasses
import functools
import pathlib
import statistics

from particle import program
from particle.near_cases import Near
from particle.part_cases import Part
from particle.program import Sample
from record import Record
from worker import Cannot

SEEDS, PEER_SEED = 5, 1
FEW_JETS = 42   # epochs of the peer for a sixth of the jets: half as many steps as for all of them
PFN = "a deep set (PFN) of 44,000 parameters .967, quoted from an earlier measurement"


@dataclasses.dataclass(eq=False)
class Measured:
    """Runs of ours and the peer's answers, each made once, when a case first wants it."""
    folder: pathlib.Path
    quick: bool

    @functools.cache
    def ours(self, arena, config, name, settings=()):
        """A member for each seed."""
        settings = {**dict(settings), **({"training.epochs": 1} if self.quick else {})}
        return [program.learn(arena, config, Sample(self.folder, name), seed, settings)
                for seed in range(1, 2 if self.quick else SEEDS + 1)]

    @functools.cache
    def peer(self, arena, name, epochs):
        """What torch_tagger_peer.py says, and why there is nothing."""
        sample = Sample(self.folder, name)
        try:
            return program.peer(arena, "torch_tagger_peer.py", sample.train, sample.test, 1 if self.quick else epochs, PEER_SEED,
                                500 if self.quick else 0), ""
        except Cannot as reason:
            return None, str(reason)

    def verdict(self, holds):
        return None if self.quick else holds


def spread(values):
    return f"seeds {min(values):.4f} to {max(values):.4f}"


@dataclasses.dataclass
class Tagger:
    """AUC on the test file, mean over the seeds, and what a training costs."""
    measured: Measured
    name: str
    config: str
    sample: str
    least: float
    number: str          # the best single number of a jet
    settings: tuple = ()
    faster: float = None   # than the peer's training; None: not asked
    error: float = None    # of calibration, at most; None: not asked
    epochs: int = 14       # of the peer
    remark: str = ""
    beside: bool = True    # whether PyTorch's tagger is trained too; false: the single number is the peer

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        members = self.measured.ours(arena, self.config, self.sample, self.settings)
        peer, reason = self.measured.peer(arena, self.sample, self.epochs) if self.beside else (None, "")
        values = [member.auc for member in members]
        value = statistics.fmean(values)
        notes = [spread(values), f"{self.number} {members[0].auc_of(self.number):.4f}", self.remark, reason]
        record = Record(f"{self.name}: AUC", 1, value, required=f">= {self.least}", holds=self.measured.verdict(value >= self.least))
        if peer:
            record.peer, record.peer_value = "transformer, PyTorch", peer["auc"]
            notes.append(f"PyTorch: {peer['parameters']:,} parameters, {len(peer['seconds'])} epochs")
        elif not self.beside:
            record.peer, record.peer_value = self.number, members[0].auc_of(self.number)
        record.note = "; ".join(note for note in notes if note)
        yield record
        if self.faster:
            yield self.cost(members, peer, reason)
        if self.error:
            yield from self.calibration(members, peer)

    def cost(self, members, peer, reason):
        seconds = statistics.fmean(member.seconds for member in members)
        record = Record(f"{self.name}: a training", 1, seconds, "CPU s", required=f">= {self.faster:g} x", note=reason)
        if peer:
            record.peer, record.peer_value = "transformer, PyTorch", sum(peer["seconds"])
            record.ratio = record.peer_value / seconds
            record.holds = self.measured.verdict(record.ratio >= self.faster)
            record.note = "ours: the whole command with reading, scores and page; PyTorch: its epochs alone"
        return record

    def calibration(self, members, peer):
        errors = [member.calibration_error for member in members]
        value = statistics.fmean(errors)
        yield Record(f"{self.name}: calibration error", 1, value, required=f"<= {self.error}",
                     holds=self.measured.verdict(value <= self.error), note=spread(errors))
        if not peer or len(peer["labels"]) != len(members[0].probabilities):
            return
        both = program.together([member.probabilities for member in members])
        error = program.calibration_error(both, peer["labels"])
        yield Record(f"{self.name}: AUC of the {len(members)} seeds together", 1, program.auroc(both, peer["labels"]),
                     note=f"mean of their logits; calibration error in bins of equal size {error:.4f}")


@dataclasses.dataclass
class Safety:
    """How far soft and collinear emissions change the score of the safe tagger, in standard deviations of the score."""
    measured: Measured
    name: str = "safe tagger"

    # name of the row, array of the result, axis, its value, number, at most
    BOUNDS = [("5 particles of z = 1e-6, largest change", "soft_largest", "soft_share", 1e-6, 1e-3),
              ("5 particles of z = 1e-6, median change", "soft_median", "soft_share", 1e-6, 1e-5),
              ("parallel splits, largest change", "split_largest", "opening", 1e-6, 1e-4),   # 1e-6 stands for parallel
              ("splits of 1e-4, largest change", "split_largest", "opening", 1e-4, 1e-2),
              ("splits of 1e-4, median change", "split_median", "opening", 1e-4, 1e-4)]

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        settings = {"training.epochs": 1, "safety.jets": 20} if quick else {}
        found, _ = program.run(arena, "safety.toml", Sample(self.measured.folder, "toptag_like"), settings, "safety")
        aucs = {row["tagger"]: float(row["auc"]) for row in found.rows("auc")}
        for words, array, axis, at, most in self.BOUNDS:
            values = {row["tagger"]: float(row[array]) for row in found.rows(array) if abs(float(row[axis]) - at) < 1e-9}
            yield Record(f"{self.name}: {words}", 1, values["safe"], "deviations", "plain tagger, ours", values["plain"],
                         required=f"<= {most:g}", holds=self.measured.verdict(values["safe"] <= most),
                         note=f"of the score over jets; AUC {aucs['safe']:.4f}, plain {aucs['plain']:.4f}")


@dataclasses.dataclass
class Speed:
    """The peer's own network in our program: 19,553 parameters, no bias of pairs, mean over the constituents."""
    measured: Measured
    name: str = "the net of 19,553 parameters"

    FEW, MANY, PEER_EPOCHS = 1, 3, 2
    SHARE = 0.9   # of the jets that ours learns from; the others validate
    SETTINGS = {"seed": 1, "ensemble.members": 1, "model.pair_bias": "none", "model.pooling": "mean"}

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        sample = Sample(self.measured.folder, "toptag_like")
        few, many = (1, 2) if quick else (self.FEW, self.MANY)
        runs = [program.run(arena, "toptag.toml", sample, {**self.SETTINGS, "training.epochs": epochs, "explain.cases": 0},
                            f"speed_{epochs}") for epochs in (few, many)]
        seconds = (runs[1][1].seconds - runs[0][1].seconds) / (many - few)
        costs = [program.predict(arena, runs[1][0], sample.test)[0] for _ in range(1 if quick else 5)]
        peer, reason = self.measured.peer(arena, sample.name, self.PEER_EPOCHS)
        jets = costs[0].rows / statistics.median(cost.seconds for cost in costs)
        learned = self.row("training", "particles/s", 3, reason)
        predicted = self.row("prediction", "jets/s", 5, reason)
        predicted.ours = jets
        if peer:
            self.fill(learned, self.SHARE * peer["particles"] / seconds if not quick else None,
                      peer["particles"] / min(peer["seconds"]),
                      "ours: an epoch of 9 tenths of the jets, and a look at the others; PyTorch: all jets, padded in batches of 128 of "
                      "like sizes")
            self.fill(predicted, jets, peer["jets"] / peer["predict_seconds"],
                      "ours: fovea predict, file to CSV; PyTorch: forward alone, jets sorted by size in batches of 64; with reading "
                      f"{peer['jets'] / (peer['predict_seconds'] + peer['read_seconds']):,.0f} jets/s")
        else:
            # Of two short runs the longer training may be the quicker run.
            learned.ours, learned.unit = seconds if seconds > 0 else None, "CPU s an epoch"
        yield learned
        yield predicted

    def row(self, what, unit, factor, reason):
        return Record(f"{self.name}: {what}", 1, None, unit, "PyTorch", required=f">= {factor} x", note=reason)

    def fill(self, record, ours, theirs, note):
        record.ours, record.peer_value, record.note = ours, theirs, note
        if ours is None:
            return
        record.ratio = ours / theirs
        record.holds = self.measured.verdict(record.ratio >= float(record.required.split()[1]))


def all_cases(quick, data):
    if not data:
        return []
    measured = Measured(pathlib.Path(data).resolve(), quick)
    return [Speed(measured),
            Tagger(measured, "top quarks", "toptag.toml", "toptag_like", 0.9824, "mass - 172", (("training.epochs", 6),),
                   faster=2, error=0.01, remark=PFN),
            Tagger(measured, "quarks and gluons", "quark_gluon.toml", "qg_like", 0.861, "multiplicity", epochs=FEW_JETS),
            Tagger(measured, "quarks and gluons, with ids", "quark_gluon.toml", "qg_like", 0.861, "multiplicity",
                   (("inputs.ids", True),), epochs=FEW_JETS, remark="PyTorch without ids"),
            Tagger(measured, "top quarks, safe", "irc_safe.toml", "toptag_like", 0.972, "mass - 172", beside=False,
                   remark="the like in PyTorch .972, quoted from an earlier measurement"),
            Safety(measured), Near(), Part(measured.folder)]

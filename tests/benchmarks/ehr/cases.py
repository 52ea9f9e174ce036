"""What `scripts/bench ehr` measures: risks of 8000 stays (PhysioNet challenge 2012, sets A and B) beside LightGBM, scikit-learn and
DuckDB. --data FOLDER has physionet2012_set-a.csv.gz, physionet2012_set-b.csv.gz, outcomes.csv and split.csv (`stay_id,fold`); for
records over years see nafld.py."""
import dataclasses
import functools
import gzip
import pathlib
import statistics

from ehr import program, scores
from ehr.experiments import Contributions, Decay, KnownDecay
from ehr.nafld import TASK, Nafld
from ehr.training import Heads, Transformer
from record import Record
from worker import Cannot

ENSEMBLES = 6          # of a run: five folds and the final one
QUOTED = "with two MLPs in the blend .878 / .572, quoted from an earlier measurement"


@dataclasses.dataclass
class Bound:
    """name: of the row; title: of the score in a run's result; field: in Scores; least, most: what is required."""
    name: str
    title: str
    field: str
    least: float = None
    most: float = None

    def holds(self, value):
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def words(self):
        if self.least is not None and self.most is not None:
            return f"{self.least:g} to {self.most:g}"
        return f">= {self.least:.3f}" if self.least is not None else f"<= {self.most:g}"


BOUNDS = [Bound("AUROC", "AUROC", "auroc", least=0.880),
          Bound("average precision", "average precision", "average_precision", least=0.574),
          Bound("AUROC, attention alone", "AUROC", "auroc", least=0.872),
          Bound("average precision, attention alone", "average precision", "average_precision", least=0.560),
          Bound("Brier score", "Brier score", "brier", most=0.0838),
          Bound("calibration error", "calibration error, bins of equal size", "calibration_error", most=0.010),
          Bound("calibration slope", "calibration slope", "slope", least=0.95, most=1.05),
          Bound("event 1", "smaller of sensitivity and precision", "event_1", least=0.545),
          Bound("event 2", "Hosmer-Lemeshow H over range of risks", "event_2", most=30)]
FLOORS = {"calibration_error": "sized_calibration_error_floor", "event_2": "event_2_floor"}   # arrays of a run


class Measured:
    """The run of ours and the peers' answer, each made once, when a case first wants it."""

    def __init__(self, data, quick):
        self.data, self.quick = pathlib.Path(data).resolve(), quick

    @functools.cache
    def run(self, arena):
        return program.run_mortality(arena, self.data, self.quick)

    @functools.cache
    def peers(self, arena):
        """What peer.py learned, the scores of each of its models, and why there are none."""
        try:
            learned = program.learn(arena, self.data, self.quick)
        except Cannot as reason:
            return {}, {}, str(reason)
        died, folds = learned["died"], learned["folds"]
        return learned, {name: scores.scores_of(model["risks"], died, folds) for name, model in learned["models"].items()}, ""


@dataclasses.dataclass
class Risk:
    measured: Measured
    name: str = "risk"

    LOSS = 0.003   # of AUROC, that one model for all hours may have against one for an hour

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        ours, (learned, judged, reason) = self.measured.run(arena), self.measured.peers(arena)
        for bound in BOUNDS:
            yield self.row(bound, ours, judged, reason)
        yield from self.costs(ours, learned)
        yield from self.hours(ours, learned)

    def verdict(self, holds):
        return None if self.measured.quick else holds

    def row(self, bound, ours, judged, reason):
        alone = bound.name.endswith("attention alone")
        value = ours.score(bound.title, "attention alone") if alone else ours.score(bound.title)
        record = Record(f"{self.name}: {bound.name}", 1, value, required=bound.words(), holds=self.verdict(bound.holds(value)))
        notes = [f"{name} {getattr(found, bound.field):.4g}" for name, found in judged.items() if name != "blend"]
        if judged:
            record.peer, record.peer_value = "blend", getattr(judged["blend"], bound.field)
        else:
            notes.append(reason)
        if bound.field in FLOORS:
            mean, low, high = (ours.scalar(FLOORS[bound.field] + end) for end in ("", "_low", "_high"))
            notes.append(f"of exact risks {mean:.3g} ({low:.3g} to {high:.3g})")
        if bound.name == "AUROC":
            notes.append(f"folds {ours.scalar('auroc_over_folds'):.3f} +- {ours.scalar('auroc_deviation'):.3f}; {QUOTED}")
        if not alone:
            notes.append(f"trees alone {ours.score(bound.title, 'trees alone'):.4g}")
        record.note = "; ".join(notes)
        return record

    def costs(self, ours, learned):
        """Processor seconds of an ensemble, and the whole run on the wall."""
        cpu, wall = float(ours.manifest["cpu_seconds"]), float(ours.manifest["wall_seconds"])
        record = Record(f"{self.name}: training, a fold", 1, cpu / ENSEMBLES, "CPU s", required="<= 60 CPU s",
                        holds=self.verdict(cpu / ENSEMBLES <= 60),
                        note=f"ours: processor time of the whole run, half-lives and page included, over {ENSEMBLES} ensembles")
        if learned:
            mean = {name: statistics.fmean(model["seconds"]) for name, model in learned["models"].items()}
            record.peer, record.peer_value = "blend", mean["blend"]
            record.note += "".join(f"; {name} {seconds:.1f}" for name, seconds in mean.items() if name != "blend")
        yield record
        yield Record(f"{self.name}: whole run", ours.manifest["threads"], wall / 60, "min", required="<= 10 min",
                     holds=self.verdict(wall <= 600), note=f"on the wall; {cpu / 60:.1f} min of processor time")

    def hours(self, ours, learned):
        at = ours.at_hours()
        for hour, model in learned.get("hours", {}).items():
            value, peer = at[float(hour)], scores.auroc(model["risks"], learned["died"])
            least = peer - self.LOSS
            yield Record(f"one model, AUROC at {hour} h", 1, value, "", f"LightGBM, {hour} h", peer, required=f">= {least:.3f}",
                         holds=self.verdict(value >= least), note="LightGBM on the summary of these hours, trained for them alone")


@dataclasses.dataclass
class Predict:
    """A file of set A to risks in CSV; memory beside that of twice as many stays."""
    measured: Measured
    name: str = "file to CSV"

    LEAST, MOST, GROWS = 3000, 300, 1.15   # stays a second; megabytes; memory of twice the stays, at most

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        ours, once = self.measured.run(arena), program.events_files(self.measured.data)[0]
        costs = [program.predict(arena, ours, once) for _ in range(arena.rounds)]
        stays = costs[0].rows / statistics.median(cost.seconds for cost in costs)
        yield Record(f"{self.name}: speed", 1, stays, "stays/s", required=f">= {self.LEAST:,}",
                     holds=None if quick else stays >= self.LEAST, note=f"{costs[0].rows} stays; processor time of the command")
        memory, twice = costs[0].megabytes, self.both(arena, ours)
        constant = twice.megabytes <= self.GROWS * memory
        yield Record(f"{self.name}: peak memory", 1, twice.megabytes, "MB", required=f"<= {self.MOST}, constant",
                     holds=None if quick else twice.megabytes <= self.MOST and constant,
                     note=f"of {twice.rows} stays; of {costs[0].rows} stays {memory:.0f} MB")

    def both(self, arena, ours):
        """Sets A and B in one file."""
        path = pathlib.Path(arena.folder, "both.csv.gz")
        first, second = program.events_files(self.measured.data)
        with gzip.open(path, "wb", compresslevel=1) as joined:
            joined.write(gzip.decompress(first.read_bytes()))
            joined.write(gzip.decompress(second.read_bytes()).split(b"\n", 1)[1])
        return program.predict(arena, ours, path)


@dataclasses.dataclass
class Reading:
    """Set A from its .csv.gz, in turns with DuckDB."""
    measured: Measured
    name: str = "reading set A"

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        path, ours, theirs, reason = program.events_files(self.measured.data)[0], [], [], ""
        for _ in range(arena.rounds):
            ours.append(program.inspect(arena, path).seconds)
            try:
                theirs.append(program.read_by_duckdb(arena, path))
            except Cannot as why:
                reason = str(why)
        record = Record(self.name, 1, statistics.median(ours), "s", "DuckDB", required=">= 1 x", note=reason)
        if theirs:
            record.peer_value = statistics.median(seconds for seconds, _ in theirs)
            record.ratio = record.peer_value / record.ours
            record.holds = None if quick else record.ratio >= 1
            record.note = (f"{theirs[0][1]:,} rows, processor time; ours: fovea inspect, quantiles and all; "
                           "DuckDB: into a table, without its start")
        yield record


def all_cases(quick, data):
    if not data:
        return []
    measured = Measured(data, quick)
    years = [Nafld(measured.data, quick)] if (measured.data / TASK).exists() else []
    return [*years, Reading(measured), Risk(measured), Predict(measured), KnownDecay(quick), Decay(measured), Contributions(measured),
            Heads(measured), Transformer(measured)]

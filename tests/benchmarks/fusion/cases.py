"""What `scripts/bench fusion` measures: water, fields, pixels, gaps, moisture, patches, maps. --data FOLDER has the samples
with truth that program.Data names; without it the same rows are of simulated data, and nothing is required of them. Scores are
means over --seeds."""
import dataclasses
import math
import pathlib
import re
import statistics

from fusion import program
from fusion.map_cases import Maps, Series
from record import Record
from worker import Cannot


def known(values):
    return [value for value in values if value is not None and not math.isnan(value)]


def mean(values):
    values = known(values)
    return statistics.fmean(values) if values else None


@dataclasses.dataclass
class Bound:
    """"<= 24.4", ">= 0.85", "0.85 to 0.95", or nothing."""
    words: str

    def holds(self, value):
        numbers = [float(word) for word in re.findall(r"-?\d*\.?\d+", self.words)]
        if not numbers or value is None:
            return None
        if " to " in self.words:
            return numbers[0] <= value <= numbers[1]
        return value >= numbers[0] if self.words.startswith(">") else value <= numbers[0]


@dataclasses.dataclass
class Row:
    """A figure of the runs of a config: value, low and high are read from each run and averaged."""
    case: str
    value: object
    required: str = ""
    unit: str = ""
    low: object = None
    high: object = None
    peer: str = ""
    peer_value: object = None   # of the peer's answer, or a number that was measured before
    note: str = ""

    def of_made_data(self):
        """The same figure where nothing is known of what it should be."""
        return dataclasses.replace(self, required="", peer="", peer_value=None, note="")

    def record(self, runs, peer, reason, quick):
        values = [self.value(run) for run in runs]
        value = mean(values)
        ends = [mean([end(run) for run in runs]) if end else None for end in (self.low, self.high)]
        record = Record(self.case, 1, value, self.unit, required=self.required, low=ends[0], high=ends[1],
                        holds=None if quick else Bound(self.required).holds(value))
        notes = [self.note, f"{len(runs)} seeds, {min(known(values)):.3g} to {max(known(values)):.3g}"
                 if len(runs) > 1 and known(values) else "1 seed"]
        if self.peer_value is not None:
            record.peer = self.peer
            if not callable(self.peer_value):
                record.peer_value = self.peer_value
            elif peer is not None:
                record.peer_value = self.peer_value(peer)
            else:
                notes.append(f"{self.peer}: {reason}")
        record.note = "; ".join(note for note in notes if note)
        return record


@dataclasses.dataclass
class Learned:
    """Rows of one config on the data; task: of peer.py; parts: models of a run that the time is shared by."""
    programs: program.Programs
    name: str
    config: str
    settings: object            # arena -> pairs
    rows: list
    task: str = ""
    most_seeds: int = 1000
    parts: int = 1
    seconds: float = 300        # that a part may take

    def answer_of_peer(self, arena):
        """The peer's answer, or why there is none."""
        if not self.task or not self.programs.data:
            return None, ""
        try:
            return self.programs.peer(arena, self.task), ""
        except Cannot as error:
            return None, str(error)

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        runs = self.programs.all_seeds(arena, self.config, tuple(self.settings(arena)), self.most_seeds)
        peer, reason = self.answer_of_peer(arena)
        for row in self.rows:
            try:
                yield (row if self.programs.data else row.of_made_data()).record(runs, peer, reason, quick)
            except (KeyError, IndexError, StopIteration, Cannot) as missing:
                yield Record(row.case, 1, required=row.required, holds=False, note=f"the result does not hold it: {missing!r}")
        yield self.time(runs, quick)

    def time(self, runs, quick):
        wall = mean([run.wall for run in runs]) / self.parts
        return Record(f"{self.name}: time to learn" + (", a fold" if self.parts > 1 else ""), 2, wall, "s", required=f"<= {self.seconds:.0f}",
                      holds=None if quick else wall <= self.seconds,
                      note=f"the whole command with its page, on the wall; {mean([run.cost.seconds for run in runs]) / self.parts:.0f} s of "
                      "processor time")


def over(variable, axis, name):
    return lambda run: run.over(variable, axis)[name]


def with_interval(variable, axis, name):
    return {"low": over(variable + "_low", axis, name), "high": over(variable + "_high", axis, name)}


def scalar(name):
    return lambda run: run.scalar(name)


def flood_rows(place):
    clear, hidden, silent = "as they are", "clouds hide S2", "clouds not announced"
    sky = lambda variable, name: over(variable, "sky", name)
    iou = lambda name: with_interval("sky_mean_iou", "sky", name)
    return [
        Row(f"{place}, clear: mIoU", sky("sky_mean_iou", clear), ">= 0.877", **iou(clear), peer="forest, S2", peer_value=lambda p: p["s2"]),
        Row(f"{place}, clear: ECE", sky("sky_calibration_error", clear), "<= 0.03"),
        Row(f"{place}, 45 % of S2 gone: mIoU", sky("sky_mean_iou", hidden), ">= 0.820", **iou(hidden), peer="switch between two forests",
            peer_value=lambda p: p["switch"]),
        Row(f"{place}, 45 % of S2 gone: mIoU there", sky("sky_mean_iou_cloudy", hidden), ">= 0.694", peer="switch between two forests",
            peer_value=lambda p: p["switch below"]),
        Row(f"{place}, S2 lost: mIoU", sky("sky_mean_iou_s1", clear), ">= 0.72", peer="forest, S1 + 5x5", peer_value=lambda p: p["s1"]),
        Row(f"{place}, S1 lost: mIoU", sky("sky_mean_iou_s2", clear), ">= 0.867", peer="forest, S2", peer_value=lambda p: p["s2"]),
        Row(f"{place}, cloud not announced: trust in S2 there", sky("sky_trust_cloudy", silent), "<= 0.3", unit="share"),
        Row(f"{place}, cloud not announced: trust elsewhere", sky("sky_trust_clear", silent), ">= 0.6", unit="share"),
        Row(f"{place}, cloud not announced: AUROC of trust", sky("sky_trust_auroc", silent), ">= 0.9")]


def lost_rows(label, both, s2_lost, peers):
    """both, s2_lost: (accuracy, other) required; peers: keys of peer.py's answer for both and S1."""
    second = "macro-F1" if label.startswith("fields") else "mIoU"
    variable = "sensors_macro_f1" if label.startswith("fields") else "sensors_mean_iou"
    at = lambda name, sensors: over(name, "sensors", sensors)
    interval = lambda name: with_interval("sensors_accuracy", "sensors", name)
    return [
        Row(f"{label}: OA", at("sensors_accuracy", "both"), f">= {both[0]}", **interval("both"), peer="forest, S2",
            peer_value=lambda p: p[peers[0]][0]),
        Row(f"{label}: {second}", at(variable, "both"), f">= {both[1]}", peer="forest, S2", peer_value=lambda p: p[peers[0]][1]),
        Row(f"{label}, S2 lost: OA", at("sensors_accuracy", "s2 lost"), f">= {s2_lost[0]}", **interval("s2 lost"), peer="forest, S1",
            peer_value=lambda p: p[peers[1]][0]),
        Row(f"{label}, S2 lost: {second}", at(variable, "s2 lost"), f">= {s2_lost[1]}", peer="forest, S1",
            peer_value=lambda p: p[peers[1]][1])]


def pixel_rows(label, both, s2_lost):
    key = label.split()[-1]
    return lost_rows(f"patch BE 2018, {key}", both, s2_lost, (f"{key} s2", f"{key} s1"))


def gap_rows():
    return [Row("gap fill, 29 tasks: PSNR", scalar("psnr"), ">= 32.7", "dB", scalar("psnr_low"), scalar("psnr_high"),
                "forest on before, after, S1 (quoted)", 32.37),
            Row("gap fill, 29 tasks: SAM", scalar("sam"), "<= 4.1", "degrees", peer="forest on before, after, S1 (quoted)", peer_value=4.41)]


def moisture_rows():
    return [Row("fuel moisture: RMSE", scalar("rmse"), "<= 24.4", "%", scalar("rmse_low"), scalar("rmse_high"), "forest of all inputs",
                lambda p: p["rmse"], "Presto + forest 24.39 (quoted)"),
            Row("fuel moisture: within 90 % intervals", scalar("coverage"), "0.85 to 0.95", "share", scalar("coverage_low"),
                scalar("coverage_high")),
            Row("fuel moisture: a training", lambda run: run.cost.seconds, "<= 120", "CPU s", note="the whole command, with page")]


def match_rows():
    rows = []
    for words, variable, way in (("S1 -> S2", "recall_s1_to_s2", "there"), ("S2 -> S1", "recall_s2_to_s1", "back")):
        for places, required in (1, 0.40), (10, 0.70):
            at = lambda name, places=places: lambda run: next(value for key, value in run.over(name, "places").items()
                                                              if float(key) == places)
            rows.append(Row(f"match, {words}: recall@{places}", at(variable), f">= {required:.2f}", "share", at(variable + "_low"),
                            at(variable + "_high"), "canonical correlation", lambda p, key=f"{way} {places}": p[key]))
    def worst(run):
        moved = {float(key): value for key, value in run.over("found_down", "moved").items()}
        left = {float(key): value for key, value in run.over("found_left", "moved").items()}
        return max(abs(value - move) for found in (moved, left) for move, value in found.items())
    for way in "row", "column":
        rows.append(Row(f"shift found, {way}: as it is", scalar(f"shift_{way}"), "", "px", scalar(f"shift_{way}_low"),
                        scalar(f"shift_{way}_high"), "gradient correlation (quoted)", 0.6))
    rows.append(Row("shift found: largest error, moved by .5 to 3 px", worst, "<= 0.25", "px",
                    note="less the shift that is there without moving"))
    return rows


def stress_rows(place):
    """Losses of the mean intersection over union, also against S2 alone, which neither shift nor speckle of S1 touches."""
    at = lambda run, name, axis, where: {float(key): value for key, value in run.over(name, axis).items()}[where]
    lost = lambda name, pixels: lambda run: at(run, "shift_both", "shift", 0) - at(run, name, "shift", pixels)
    below = lambda pixels: lambda run: at(run, "shift_s2", "shift", pixels) - at(run, "shift_worst", "shift", pixels)
    rows = [Row(f"{place}, SAR shifted by {pixels} px: loss of mIoU", lost("shift_both", pixels), "<= 0.01", "loss", high=lost("shift_worst", pixels),
                note="mean of four directions; upper end: the worst") for pixels in (1, 2, 3)]
    rows += [Row(f"{place}, SAR shifted by {pixels} px: S2 alone less both", below(pixels), "<= 0.01", "loss", note="the worst of four directions")
             for pixels in (1, 2, 3)]
    return rows + [
        Row(f"{place}, further speckle of 4 looks: loss of mIoU", scalar("speckle_lost"), "<= 0.01", "loss"),
        Row(f"{place}, further speckle of 4 looks: S2 alone less both",
            lambda run: at(run, "speckle_s2", "looks", 4) - at(run, "speckle_both", "looks", 4), "<= 0.01", "loss")]


def all_cases(quick, data, seeds=1):
    programs = program.Programs(program.Data(pathlib.Path(data).resolve()) if data else None, quick, seeds)
    found, place = programs.data, "Spain chip" if data else "simulated"
    words = lambda *pairs: lambda arena: [(key, str(value) if isinstance(value, pathlib.Path) else value) for key, value in pairs] if data else []
    stack = lambda label: words(("data.file", data and found.stack), ("data.label", label))
    crops = lost_rows("fields FRA 2023, 5 folds" if data else "fields, simulated", (0.706, 0.419), (0.598, 0.318), ("s2", "s1"))
    crops.append(Row(crops[0].case.replace("OA", "ECE"), over("sensors_calibration_error", "sensors", "both"), "<= 0.08"))
    patches = [("LC", (0.883, 0.611), (0.820, 0.503)), ("CT", (0.898, 0.703), (0.823, 0.474))] if data else [("simulated", (0, 0), (0, 0))]
    return [
        Learned(programs, "water", "flood.toml", programs.scenes(mask=True), flood_rows(place), "flood"),
        Learned(programs, "water under stress", "stress.toml", programs.scenes(), stress_rows(place)),
        Learned(programs, "fields", "crops.toml", words(("data.file", data and found.fields)), crops, "fields", parts=5 if data else 1, seconds=60),
        *(Learned(programs, f"patch, {label}", "pixels.toml", stack(label), pixel_rows(f"patch {label}", *required), "pixels")
          for label, *required in patches),
        Learned(programs, "gaps", "gapfill.toml", words(("data.file", data and found.stack), ("data.tasks", data and found.tasks)), gap_rows()),
        Learned(programs, "moisture", "moisture.toml", words(("data.file", data and found.moisture)), moisture_rows(), "moisture"),
        Learned(programs, "match", "match.toml", programs.scenes(blocks=False), match_rows(), "match", most_seeds=3),
        Maps(programs), Series(programs)]

"""What `scripts/bench fusion` measures: water, fields, pixels, gaps, moisture, patches, maps. --data FOLDER has the samples
with truth that program.Data names; without it the rows on made scenes remain. Scores are means over --seeds."""
import dataclasses
import math
import pathlib
import re
import statistics
import time

from ehr.program import call, fovea
from fusion import program, tiff
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

    def record(self, runs, peer, reason, quick):
        value = mean([self.value(run) for run in runs])
        ends = [mean([end(run) for run in runs]) if end else None for end in (self.low, self.high)]
        record = Record(self.case, 1, value, self.unit, required=self.required, low=ends[0], high=ends[1],
                        holds=None if quick else Bound(self.required).holds(value))
        notes = [self.note, f"{len(runs)} seed{'s' if len(runs) > 1 else ''}"]
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
    """Rows of one config on the data; task: of peer.py."""
    programs: program.Programs
    name: str
    config: str
    settings: object            # arena -> pairs
    rows: list
    task: str = ""

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        runs = self.programs.all_seeds(arena, self.config, tuple(self.settings(arena)))
        peer, reason = None, ""
        if self.task:
            try:
                peer = self.programs.peer(arena, self.task)
            except Cannot as error:
                reason = str(error)
        for row in self.rows:
            try:
                yield row.record(runs, peer, reason, quick)
            except (KeyError, IndexError, StopIteration) as missing:
                yield Record(row.case, 1, required=row.required, note=f"the result does not hold it: {missing}")
            except Cannot:
                yield Record(row.case, 1, required=row.required, note="the result does not hold it")


def over(variable, axis, name):
    return lambda run: run.over(variable, axis)[name]


def with_interval(variable, axis, name):
    return {"low": over(variable + "_low", axis, name), "high": over(variable + "_high", axis, name)}


def scalar(name):
    return lambda run: run.scalar(name)


def flood_rows():
    clear, hidden, silent = "clear", "clouds hide S2", "clouds not announced"
    sky = lambda variable, name: over(variable, "sky", name)
    iou = lambda name: with_interval("sky_mean_iou", "sky", name)
    return [
        Row("Spain chip, clear: mIoU", sky("sky_mean_iou", clear), ">= 0.877", **iou(clear), peer="forest, S2", peer_value=lambda p: p["s2"]),
        Row("Spain chip, clear: ECE", sky("sky_calibration_error", clear), "<= 0.03"),
        Row("45 % of S2 gone: mIoU", sky("sky_mean_iou", hidden), ">= 0.820", **iou(hidden), peer="switch between two forests",
            peer_value=lambda p: p["switch"]),
        Row("45 % of S2 gone: mIoU there", sky("sky_mean_iou_cloudy", hidden), ">= 0.694", peer="switch between two forests",
            peer_value=lambda p: p["switch below"]),
        Row("S2 lost: mIoU", sky("sky_mean_iou_s1", clear), ">= 0.72", peer="forest, S1 + 5x5", peer_value=lambda p: p["s1"]),
        Row("S1 lost: mIoU", sky("sky_mean_iou_s2", clear), ">= 0.867", peer="forest, S2", peer_value=lambda p: p["s2"]),
        Row("cloud not announced: trust in S2 there", sky("sky_trust_cloudy", silent), "<= 0.3", unit="share"),
        Row("cloud not announced: trust elsewhere", sky("sky_trust_clear", silent), ">= 0.6", unit="share"),
        Row("cloud not announced: AUROC of trust", sky("sky_trust_auroc", silent), ">= 0.9")]


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
    rows.append(Row("shift found: largest error, moved by .5 to 3 px", worst, "<= 0.25", "px",
                    note="less the shift that is there without moving"))
    return rows


def stress_rows():
    """Names are those of fusion.stress."""
    def loss(pixels):
        def of(run):
            found = {float(key): value for key, value in run.over("shift_mean_iou", "shift").items()}
            return found[0] - found[pixels]
        return of
    return [Row(f"SAR shifted by {pixels} px: loss of mIoU", loss(pixels), "<= 0.01") for pixels in (1, 2, 3)]


@dataclasses.dataclass
class Maps:
    """`fovea predict` from scene to map, file to file, on made scenes."""
    programs: program.Programs
    name: str = "maps"

    def model(self, arena):
        """A model of water and the bands that it wants: of the chip, or of made scenes."""
        settings = (("data.scenes", str(self.programs.data.scene_list(arena))),) if self.programs.data else ()
        bands = ["B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B8A", "B9", "B10", "B11", "B12"] if settings else None
        run = self.programs.learn(arena, "flood.toml", settings)
        return run, bands or ["B02", "B03", "B04", "B08"]   # of made scenes

    def map(self, arena, run, scene, threads):
        out = pathlib.Path(arena.folder, f"map_{scene.parent.name}_{threads}")
        start = time.monotonic()
        cost = call([fovea(arena), "predict", run.folder, scene, "-t", str(threads), "-q", "-o", out], {"OMP_NUM_THREADS": str(threads)})
        return out, cost, time.monotonic() - start

    def scene(self, arena, name, side, bands, **words):
        folder = pathlib.Path(arena.folder, name)
        if not folder.exists():
            folder.mkdir()
            tiff.make_scene(folder, side, bands, **words)
        return folder / "scenes.csv"

    def run(self, arena, threads, quick):
        run, bands = self.model(arena)
        side = 512 if quick else 2048
        scene = self.scene(arena, "speed", side, bands, hole=(100, 200), deflate=False)
        out, cost, wall = self.map(arena, run, scene, threads)
        seconds = cost.seconds if threads == 1 else wall
        required = 1.6 if threads == 1 else 3
        speed = side * side / 1e6 / seconds
        yield Record(f"maps: {side} x {side} x {2 + len(bands)}", threads, speed, "Mpx/s", "Orfeo ToolBox, 2 cores (quoted)", 0.79,
                     required=f">= {required}", holds=None if quick else speed >= required,
                     note="file to file; " + ("processor time" if threads == 1 else "time on the wall") +
                     f"; {cost.megabytes:.0f} MB; forest of scikit-learn .37 (quoted)")
        if threads == 1:
            yield self.hole(out, quick)
            yield from self.memory(arena, run, bands, quick)

    def hole(self, out, quick):
        rows = tiff.read_bytes_band(out / "made.tif")
        inside = lambda k: tiff.TILE + 100 <= k < tiff.TILE + 200
        wrong = sum((value == 255) != (inside(r) and inside(c)) for r, row in enumerate(rows) for c, value in enumerate(row))
        return Record("maps: a NaN area of 100 x 100", 1, wrong, "wrong px", "Orfeo ToolBox: class 1 there (quoted)", None,
                      required="<= 0", holds=wrong == 0, note="no data there, nowhere else")

    def memory(self, arena, run, bands, quick):
        found = []
        for side in (512, 1024) if quick else (4096, 16384):
            scene = self.scene(arena, f"side_{side}", side, bands, kind="h")
            _, cost, wall = self.map(arena, run, scene, 2)
            found.append(cost.megabytes)
            yield Record(f"maps: memory, {side} x {side}", 1, cost.megabytes, "MB", "Orfeo ToolBox, -ram 64 (quoted)", 440,
                         required="<= 512", holds=None if quick else cost.megabytes <= 512, note=f"int16, DEFLATE; {wall:.0f} s")
        ratio = found[1] / found[0]
        yield Record("maps: memory of the larger over the smaller", 1, ratio, required="<= 1.1",
                     holds=None if quick else ratio <= 1.1)


@dataclasses.dataclass
class Series:
    """Series of twelve dates a second, from file to CSV."""
    programs: program.Programs
    name: str = "series"

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        run = self.programs.learn(arena, "crops.toml", tuple(fields_settings(self.programs)))
        made = self.programs.peer(arena, "series")   # writes the file of series
        path = pathlib.Path(made["path"])
        answer = pathlib.Path(arena.folder, "series.csv")
        cost = call([fovea(arena), "predict", run.folder, path, "-t", "1", "-q", "-o", answer], {"OMP_NUM_THREADS": "1"})
        speed = made["series"] / cost.seconds
        yield Record("series of T = 12", 1, speed, "series/s", "Presto, 2 cores (quoted)", 254, required=">= 2500",
                     holds=None if quick else speed >= 2500, note="ours: file to CSV, processor time of one thread")


def fields_settings(programs):
    return [("data.file", str(programs.data.fields))]


def all_cases(quick, data, seeds=1):
    programs = program.Programs(program.Data(pathlib.Path(data).resolve()) if data else None, quick, seeds)
    if not data:
        return [Maps(programs)]
    found = programs.data
    stack = lambda label: lambda arena: [("data.file", str(found.stack)), ("data.label", label)]
    scenes = lambda arena: [("data.scenes", str(found.scene_list(arena)))]
    masked = lambda arena: [("data.scenes", str(found.scene_list(arena, mask=True))), ("data.mask", "examine")]
    crops = lost_rows("fields FRA 2023, 5 folds", (0.706, 0.419), (0.598, 0.318), ("s2", "s1"))
    crops.append(Row("fields FRA 2023: ECE", over("sensors_calibration_error", "sensors", "both"), "<= 0.08"))
    return [
        Learned(programs, "water", "flood.toml", masked, flood_rows(), "flood"),
        Learned(programs, "water under stress", "stress.toml", scenes, stress_rows()),
        Learned(programs, "fields", "crops.toml", lambda arena: fields_settings(programs), crops, "fields"),
        Learned(programs, "patch, LC", "pixels.toml", stack("LC"), pixel_rows("patch LC", (0.883, 0.611), (0.820, 0.503)), "pixels"),
        Learned(programs, "patch, CT", "pixels.toml", stack("CT"), pixel_rows("patch CT", (0.898, 0.703), (0.823, 0.474)), "pixels"),
        Learned(programs, "gaps", "gapfill.toml", lambda arena: [("data.file", str(found.stack)), ("data.tasks", str(found.tasks))],
                gap_rows()),
        Learned(programs, "moisture", "moisture.toml", lambda arena: [("data.file", str(found.moisture))], moisture_rows(), "moisture"),
        Learned(programs, "match", "match.toml", scenes, match_rows(), "match"),
        Maps(programs), Series(programs)]

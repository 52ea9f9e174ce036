"""Speed, memory and missing data of maps and of answers to series, from file to file."""
import dataclasses
import os
import pathlib
import statistics
import time

from ehr.program import call, fovea
from fusion import program, tiff
from record import Record
from worker import Cannot

HOLE = (100, 200)   # rows and columns, within the second tile of the second row, that no sensor shows
CHIP_BANDS = ["B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B8A", "B9", "B10", "B11", "B12"]
MADE_BANDS = ["B02", "B03", "B04", "B08"]


@dataclasses.dataclass
class Timed:
    """cost: of the last round; seconds, wall: medians over the rounds."""
    cost: object
    seconds: float
    wall: float

    def speed(self, pixels, threads):
        return pixels / 1e6 / (self.seconds if threads == 1 else self.wall)


class Clock:
    """Times several ways in turns."""

    def __init__(self, rounds):
        self.rounds = rounds

    def of(self, *ways):
        found = [[] for _ in ways]
        for _ in range(self.rounds):
            for way, costs in zip(ways, found):
                start = time.monotonic()
                cost = way()
                costs.append((cost, time.monotonic() - start))
        return [Timed(costs[-1][0], statistics.median(cost.seconds for cost, _ in costs), statistics.median(wall for _, wall in costs))
                for costs in found]


@dataclasses.dataclass(eq=False)
class Orfeo:
    """Orfeo ToolBox's forest of 100 trees of depth 25 on the 15 bands of the chip, 20,000 pixels a class."""
    programs: program.Programs
    quick: bool

    def start(self, arena):
        """Throws Cannot where it is not there; learns."""
        found = arena.peers.get(program.OTB)
        if found is None or found.reason:
            raise Cannot(found.reason if found else "left out")
        if not self.programs.data:
            raise Cannot("without --data it has nothing to learn from")
        self.train, self.classify = found.command
        samples = self.programs.peer(arena, "samples")
        self.model = pathlib.Path(arena.folder, "otb_model.txt")
        call([self.train, "-io.vd", samples["path"], "-feat", *samples["features"], "-cfield", "water", "-classifier", "rf",
              "-classifier.rf.max", "25", "-classifier.rf.nbtrees", "5" if self.quick else "100", "-io.out", self.model])
        try:
            arena.versions[program.OTB] = call(["dpkg-query", "-W", "-f", "${Version}", "otb-bin"]).said
        except Cannot:
            pass   # it is not Debian's

    def out(self, arena):
        return pathlib.Path(arena.folder, "otb_map.tif")

    def map(self, arena, bands, threads):
        return call([self.classify, "-in", bands, "-model", self.model, "-out", self.out(arena), "uint8", "-ram", "64"],
                    {"ITK_GLOBAL_DEFAULT_NUMBER_OF_THREADS": str(threads), "OTB_LOGGER_LEVEL": "CRITICAL"})


@dataclasses.dataclass
class Maps:
    """`fovea predict` from scene to map, on made scenes, by the model of water that was learned for the other rows."""
    programs: program.Programs
    name: str = "maps"

    def map(self, arena, run, scene, threads):
        out = pathlib.Path(arena.folder, f"map_{scene.parent.name}_{threads}")
        return out, call([fovea(arena), "predict", run.folder, scene, "-t", str(threads), "-q", "-o", out], {"OMP_NUM_THREADS": str(threads)})

    def scene(self, arena, name, side, bands, **words):
        folder = pathlib.Path(arena.folder, name)
        if not folder.exists():
            folder.mkdir()
            tiff.make_scene(folder, side, bands, **words)
        return folder / "scenes.csv"

    def run(self, arena, threads, quick):
        bands = CHIP_BANDS if self.programs.data else MADE_BANDS
        run = self.programs.learn(arena, "flood.toml", tuple(self.programs.scenes(mask=True)(arena)))
        side = 512 if quick else 2048
        scene = self.scene(arena, "speed", side, bands, hole=HOLE, deflate=False, together=True)
        ours = lambda: self.map(arena, run, scene, threads)[1]
        orfeo, reason, answered = Orfeo(self.programs, quick), "", None
        try:
            orfeo.start(arena)
            theirs = lambda: orfeo.map(arena, scene.parent / "all.tif", threads)
            made, peer = Clock(1 if quick else 3).of(ours, theirs)
            answered = self.in_the_hole(orfeo.out(arena))   # of its last round
        except Cannot as error:
            (made,), peer, reason = Clock(1 if quick else 3).of(ours), None, f"Orfeo ToolBox: {error}; "
        required, speed = 1.6 if threads == 1 else 3, made.speed(side * side, threads)
        record = Record(f"maps: {side} x {side} x {2 + len(bands)}", threads, speed, "Mpx/s", "Orfeo ToolBox" if peer else
                        "Orfeo ToolBox, 2 cores (quoted)", peer.speed(side * side, threads) if peer else 0.79, required=f">= {required}",
                        holds=None if quick else speed >= required)
        record.ratio = speed / record.peer_value if peer else None
        record.note = (f"{reason}file to file, {'processor time' if threads == 1 else 'time on the wall'}, median of turns; "
                       f"{made.seconds:.2f} s of processor time, {made.cost.megabytes:.0f} MB" +
                       (f"; {peer.seconds:.2f} s, {peer.cost.megabytes:.0f} MB" if peer else "; forest of scikit-learn .37 (quoted)"))
        yield record
        if threads == 1:
            yield self.hole(self.map(arena, run, scene, 1)[0], answered)
        if threads == 2 or (os.cpu_count() or 1) < 2:
            yield from self.memory(arena, run, bands, quick)

    def inside(self, row, column):
        return all(tiff.TILE + HOLE[0] <= place < tiff.TILE + HOLE[1] for place in (row, column))

    def in_the_hole(self, path):
        """The pixels of the hole that have a class."""
        return sum(value != 255 for r, row in enumerate(tiff.read_bytes_band(path)) for c, value in enumerate(row) if self.inside(r, c))

    def hole(self, out, answered):
        rows = tiff.read_bytes_band(out / "made.tif")
        wrong = sum((value == 255) != self.inside(r, c) for r, row in enumerate(rows) for c, value in enumerate(row))
        return Record("maps: a NaN area of 100 x 100", 1, wrong, "wrong px", "Orfeo ToolBox" + ("" if answered is not None else " (quoted)"),
                      10000 if answered is None else answered, required="<= 0", holds=wrong == 0,
                      note="no data there, nowhere else; the peer gives each of them a class and no warning")

    def memory(self, arena, run, bands, quick):
        found = []
        for side in (512, 1024) if quick else (4096, 16384):
            scene = self.scene(arena, f"side_{side}", side, bands, kind="h")
            start = time.monotonic()
            cost = self.map(arena, run, scene, 2)[1]
            found.append(cost.megabytes)
            yield Record(f"maps: memory, {side} x {side}", 2, cost.megabytes, "MB", "Orfeo ToolBox, -ram 64 (quoted)", 440,
                         required="<= 512", holds=None if quick else cost.megabytes <= 512,
                         note=f"int16, DEFLATE; {time.monotonic() - start:.0f} s on the wall, {cost.seconds:.0f} s of processor time")
        ratio = found[1] / found[0]
        yield Record("maps: memory of the larger over the smaller", 2, ratio, required="<= 1.1",
                     holds=None if quick else ratio <= 1.1)


@dataclasses.dataclass
class Series:
    """Series of twelve dates a second, from file to CSV."""
    programs: program.Programs
    name: str = "series"

    def run(self, arena, threads, quick):
        if threads != 1 or not self.programs.data:
            return
        case, peer = "series of T = 12", "Presto, 2 cores (quoted)"
        try:
            made = self.programs.peer(arena, "series")   # writes the file of series
        except Cannot as error:
            yield Record(case, 1, peer=peer, peer_value=254, required=">= 2500", note=f"no file of series: {error}")
            return
        run = self.programs.learn(arena, "crops.toml", (("data.file", str(self.programs.data.fields)),))
        answer = pathlib.Path(arena.folder, "series.csv")
        words = [fovea(arena), "predict", run.folder, made["path"], "-t", "1", "-q", "-o", answer]
        (found,) = Clock(1 if quick else 3).of(lambda: call(words, {"OMP_NUM_THREADS": "1"}))
        speed = made["series"] / found.seconds
        yield Record(case, 1, speed, "series/s", peer, 254, required=">= 2500", holds=None if quick else speed >= 2500,
                     note=f"file to CSV, processor time; {found.cost.megabytes:.0f} MB")

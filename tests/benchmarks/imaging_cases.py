"""What `scripts/bench imaging` measures: holes whose truth is known, filled by `fovea inpaint` and, where they are installed, by
OpenCV and scikit-image. --data FOLDER has inpaint_holes.csv and inpaint_thick_holes.csv with the volumes that they name. What is
in a hole is overwritten before any file is given to ours."""
import array
import csv
import dataclasses
import gzip
import json
import math
import pathlib
import random
import struct
import subprocess
import typing

from ehr.program import call, fovea
from fusion.cases import Bound
from record import Record
from worker import Cannot, followed

PEER = "OpenCV, scikit-image"   # in peers.py
HOLES, THICK = "inpaint_holes.csv", "inpaint_thick_holes.csv"
CUT = 200   # holes that examine the interval


def folder_of(folder):
    folder = pathlib.Path(folder).resolve()
    for name in (HOLES, THICK):
        if not (folder / name).is_file():
            raise Cannot(f"{folder}: imaging wants a folder with {name} and the volumes that it names")
    return folder


class Nifti:
    """A little-endian NIfTI-1 file of float32."""

    def __init__(self, path):
        raw = gzip.open(path).read() if str(path).endswith(".gz") else pathlib.Path(path).read_bytes()
        if struct.unpack_from("<ih", raw)[0] != 348 or struct.unpack_from("<h", raw, 70)[0] != 16:
            raise Cannot(f"{path}: must be a little-endian NIfTI-1 of float32")
        self.size, offset = struct.unpack_from("<3h", raw, 42), int(struct.unpack_from("<f", raw, 108)[0])
        self.head = bytearray(raw[:offset])
        self.values = array.array("f", raw[offset:offset + 4 * math.prod(self.size)])

    def at(self, hole):
        nx, ny, _ = self.size
        return [(z * ny + y) * nx + x for z in range(hole["z"], hole["z"] + hole["depth"])
                for y in range(hole["y"], hole["y"] + hole["size"]) for x in range(hole["x"], hole["x"] + hole["size"])]

    def write(self, path, values=None):
        pathlib.Path(path).write_bytes(bytes(self.head) + (self.values if values is None else values).tobytes())

    def write_mask(self, path, inside):
        head = bytearray(self.head)
        struct.pack_into("<2h", head, 70, 2, 8), struct.pack_into("<2f", head, 112, 1, 0)
        pathlib.Path(path).write_bytes(bytes(head) + bytes(inside))


def read_holes(path, kind):
    with open(path, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if kind in row["volume"]]
    return [{**row, "depth": int(row.get("depth") or 1), **{name: int(row[name]) for name in ("x", "y", "z", "size")},
             **{name: float(row[name]) for name in ("lo", "hi")}} for row in rows]


@dataclasses.dataclass
class Answer:
    psnr: float
    errors: list     # absolute
    widths: list
    seconds: float
    megabytes: float


def ours(arena, folder, hole, words=(), threads=1):
    """One hole, filled by the command."""
    image, work = Nifti(folder / hole["volume"]), pathlib.Path(arena.folder)
    at, low, high = image.at(hole), hole["lo"], hole["hi"]
    truth = [min(max(image.values[i], low), high) for i in at]
    inside = bytearray(len(image.values))
    for i in at:
        image.values[i], inside[i] = 1e9, 1
    files = {name: work / f"{name}.nii" for name in ("image", "mask", "filled", "width")}
    image.write(files["image"]), image.write_mask(files["mask"], inside)
    cost = call([fovea(arena), "inpaint", files["image"], "--holes", files["mask"], f"--window={low:g},{high:g}", "-o", files["filled"],
                 "--confidence", files["width"], "--json", *words], {"OMP_NUM_THREADS": str(threads)})
    filled, widths = Nifti(files["filled"]).values, Nifti(files["width"]).values
    errors = [abs(filled[i] - value) for i, value in zip(at, truth)]
    mean = sum(error * error for error in errors) / len(errors)
    return Answer(20 * math.log10(high - low) - 10 * math.log10(max(mean, 1e-30)), errors, [widths[i] for i in at], cost.seconds, cost.megabytes)


def theirs(arena, folder, holes, slices=1):
    """name -> mean PSNR, and name -> seconds of the last; both empty where no peer is installed."""
    peer, found, seconds = arena.peers.get(PEER), {}, {}
    if peer is None or peer.reason:
        return {}, {}
    for volume in dict.fromkeys(hole["volume"] for hole in holes):
        some = [hole for hole in holes if hole["volume"] == volume]
        words = [",".join(str(hole[name]) for name in ("x", "y", "z", "size", "depth")) for hole in some]
        said = subprocess.run([*peer.command, str(folder / volume), str(some[0]["lo"]), str(some[0]["hi"]), str(slices), *words],
                              check=True, stdout=subprocess.PIPE, text=True).stdout
        for name, values in json.loads(said)["psnr"].items():
            found.setdefault(name, []).extend(values)
        seconds = json.loads(said)["seconds"]
    return {name: sum(values) / len(values) for name, values in found.items()}, seconds


def mean_and_interval(values):
    draw, mean = random.Random(1), sum(values) / len(values)
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(2000))
    return mean, means[50], means[1949]


def judged(case, value, required, quick, **words):
    return Record(case, words.pop("threads", 1), value, words.pop("unit", "dB"), required=required,
                  holds=None if quick else Bound(required).holds(value), **words)


def compared_rows(case, arena, quick):
    holes = [hole for hole in read_holes(case.data / case.holes, case.kind)][:1 if quick else None]
    with_context = lambda hole: ["--context", case.data / hole["context"]] if case.context else []
    words = [] if case.slices else ["--slices", "0"]
    answers = [ours(arena, case.data, hole, words + with_context(hole)) for hole in holes]
    guesses = [ours(arena, case.data, hole, [*words, "--guess-alone"]) for hole in holes]
    peers, _ = theirs(arena, case.data, holes, case.slices)
    best = max(peers, key=peers.get, default="")
    note = "; ".join(f"{name} {value:.2f}" for name, value in peers.items()) or "no peer is installed"
    yield judged(case.name, sum(a.psnr for a in answers) / len(answers), case.required, quick, peer=best, peer_value=peers.get(best),
                 note=f"mean PSNR of {len(holes)} holes; {note}")
    mean, low, high = mean_and_interval([a.psnr - g.psnr for a, g in zip(answers, guesses)])
    yield judged(f"{case.name}: attention less guess", mean, ">= -0.05", quick, low=low, high=high,
                 note=f"95 % {low:.2f} to {high:.2f} by drawing holes")


def rank(values):
    order, ranks = sorted(range(len(values)), key=values.__getitem__), [0.0] * len(values)
    for place, i in enumerate(order):
        ranks[i] = place
    return ranks


def correlation(a, b):
    mean = (len(a) - 1) / 2
    top = sum((x - mean) * (y - mean) for x, y in zip(a, b))
    return top / math.sqrt(sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b))


def interval_rows(case, arena, quick):
    """Holes at random places of all volumes; errors and half-widths are shares of the range."""
    volumes = list({hole["volume"]: hole for hole in read_holes(case.data / HOLES, "")}.values())
    draw, errors, widths, covered = random.Random(44), [], [], []
    sizes = {hole["volume"]: Nifti(case.data / hole["volume"]).size for hole in volumes}
    for k in followed(range(2 if quick else CUT), case.name):
        hole = dict(volumes[k % len(volumes)])
        nx, ny, nz = sizes[hole["volume"]]
        hole["x"], hole["y"], hole["z"] = draw.randrange(nx - 31), draw.randrange(ny - 31), draw.randrange(1, nz - 1)
        answer, span = ours(arena, case.data, hole), hole["hi"] - hole["lo"]
        errors += [error / span for error in answer.errors]
        widths += [width / span for width in answer.widths]
        covered.append(sum(e <= w for e, w in zip(answer.errors, answer.widths)) / len(answer.errors))
    yield judged(f"{case.name}: covered", sum(covered) / len(covered), "0.85 to 0.95", quick, unit="",
                 note=f"mean of {len(covered)} holes of 32 x 32 at random places of {len(volumes)} volumes")
    yield judged(f"{case.name}: Spearman with error", correlation(rank(errors), rank(widths)), ">= 0.4", quick, unit="")


def large_image(arena, quick):
    """512 x 512 x 60 voxels of which 5 % are missing: specks, and boxes of 32 x 32 x 8."""
    nx, ny, nz = (64, 64, 12) if quick else (512, 512, 60)
    work, draw = pathlib.Path(arena.folder), random.Random(3)
    head = bytearray(352)
    struct.pack_into("<i", head, 0, 348), struct.pack_into("<8h", head, 40, 3, nx, ny, nz, 1, 1, 1, 1)
    struct.pack_into("<2h", head, 70, 16, 32), struct.pack_into("<8f", head, 76, 1, 1, 1, 3, 1, 1, 1, 1)
    struct.pack_into("<3f", head, 108, 352, 1, 0), struct.pack_into("<4s", head, 344, b"n+1\0")
    image = Nifti.__new__(Nifti)
    image.size, image.head, image.values = (nx, ny, nz), head, array.array("f")
    wave = [100 * math.sin(x / 23) + 20 * math.sin(x / 5) for x in range(nx)]
    for z in range(nz):
        for y in range(ny):
            part = 50 * math.sin(y / 17 + z / 9)
            image.values.extend([value + part + draw.random() for value in wave])
    mask = bytearray(draw.randbytes(nx * ny * nz).translate(bytes(1 if byte < 6 else 0 for byte in range(256))))
    for k in range(2 if quick else 48):
        x, y, z = draw.randrange(nx - 32), draw.randrange(ny - 32), draw.randrange(nz - 8)
        for row in range(8 * 32):
            at = ((z + row // 32) * ny + y + row % 32) * nx + x
            mask[at:at + 32] = b"\1" * 32
    image.write(work / "large.nii"), image.write_mask(work / "large_mask.nii", mask)
    return mask.count(1) / len(mask)


def cost_rows(case, arena, quick):
    hole = read_holes(case.data / HOLES, "CT")[0]
    seconds = sorted(ours(arena, case.data, hole).seconds for _ in range(1 if quick else 5))
    peers, times = theirs(arena, case.data, [hole])
    fastest = min(times, key=times.get, default="")
    yield judged("32 x 32 hole", seconds[len(seconds) // 2], "<= 0.3", quick, unit="s", peer=fastest, peer_value=times.get(fastest),
                 note="of the processor, with reading and writing; the peer without")
    share, work = large_image(arena, quick), pathlib.Path(arena.folder)
    command = [fovea(arena), "inpaint", work / "large.nii", "--holes", work / "large_mask.nii", "-o", work / "large_filled.nii", "--json"]
    cost = call(command, {"OMP_NUM_THREADS": "2"})
    yield judged("large image", cost.seconds / 2, "<= 60", quick, unit="s", threads=2,
                 note=f"512 x 512 x 60, {100 * share:.1f} % missing; half the processor's seconds")
    yield judged("large image, peak memory", cost.megabytes, "<= 1000", quick, unit="MB", threads=2)


@dataclasses.dataclass
class Case:
    data: pathlib.Path
    name: str
    rows: typing.Callable
    required: str = ""
    holes: str = HOLES
    kind: str = "CT"
    slices: int = 1
    context: bool = False

    def run(self, arena, threads, quick):
        if threads == 1:
            yield from self.rows(self, arena, quick)


def all_cases(quick, data):
    del quick
    data = folder_of(data)
    return [Case(data, "CT holes", compared_rows, ">= 19.1"),
            Case(data, "T1 holes", compared_rows, ">= 39.6", kind="MR_T1"),
            Case(data, "CT holes, each slice alone", compared_rows, ">= 15.2", slices=0),
            Case(data, "thick CT holes", compared_rows, ">= 17.4", THICK),
            Case(data, "thick CT holes, with T1", compared_rows, ">= 17.7", THICK, context=True),
            Case(data, "90 % interval", interval_rows),
            Case(data, "cost", cost_rows)]

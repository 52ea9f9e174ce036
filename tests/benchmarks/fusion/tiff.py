"""GeoTIFFs of any size, written and read without a library: tiles of 256, band by band, BigTIFF.

Tiles that are equal are stored once, so that a scene of 16384 x 16384 pixels takes seconds to make and little space."""
import itertools
import random
import struct
import zlib

TILE = 256
KINDS = {"f": (3, 32, 4), "h": (2, 16, 2), "B": (1, 8, 1)}   # SampleFormat, bits, bytes
PLACE = {33550: (8.983e-5, 8.983e-5, 0.0), 33922: (0.0, 0.0, 0.0, -0.78, 38.12, 0.0)}
KEYS = (1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326)


def scene_tile(rng, kind, level, spread, coarse=32):
    """A tile of smooth ground with noise."""
    corners = [[rng.gauss(level, spread) for _ in range(TILE // coarse + 1)] for _ in range(TILE // coarse + 1)]
    numbers = []
    for row in range(TILE):
        for column in range(TILE):
            number = corners[row // coarse][column // coarse] + rng.random() * spread
            numbers.append(number if kind == "f" else max(1, round(number)))
    return struct.pack(f"<{TILE * TILE}{kind}", *numbers)


def holed(tile, kind, rows, columns):
    """The tile with a rectangle of NaN (0 in whole numbers)."""
    size = KINDS[kind][2]
    nothing = struct.pack("<f", float("nan")) if kind == "f" else bytes(size)
    data = bytearray(tile)
    for row in range(*rows):
        start, end = (row * TILE + columns[0]) * size, (row * TILE + columns[1]) * size
        data[start:end] = nothing * (columns[1] - columns[0])
    return bytes(data)


def write(path, side, bands, kind, tile_of, names, deflate=True):
    """tile_of(band, row, column): the number of a tile, and its bytes when called."""
    across = side // TILE
    sample, bits, _ = KINDS[kind]
    offsets, counts, places = [], [], {}
    with open(path, "wb") as file:
        file.write(struct.pack("<2sHHHQ", b"II", 43, 8, 0, 0))
        for band, row, column in itertools.product(range(bands), range(across), range(across)):
            name, make = tile_of(band, row, column)
            if name not in places:
                data = zlib.compress(make(), 1) if deflate else make()
                places[name] = (file.tell(), len(data))
                file.write(data)
            offsets.append(places[name][0])
            counts.append(places[name][1])
        described = "".join(f'<Item name="DESCRIPTION" sample="{k}" role="description">{name}</Item>' for k, name in enumerate(names))
        text = f"<GDALMetadata>{described}</GDALMetadata>\0".encode()
        tags = {256: ("I", [side]), 257: ("I", [side]), 258: ("H", [bits] * bands), 259: ("H", [8 if deflate else 1]), 262: ("H", [1]),
                277: ("H", [bands]), 284: ("H", [2]), 322: ("H", [TILE]), 323: ("H", [TILE]), 324: ("Q", offsets), 325: ("Q", counts),
                339: ("H", [sample] * bands), 34735: ("H", list(KEYS)), 42112: ("s", text), **{k: ("d", v) for k, v in PLACE.items()}}
        if bands > 1:
            tags[338] = ("H", [0] * (bands - 1))
        entries = []
        for tag, (form, values) in sorted(tags.items()):
            data = values if form == "s" else struct.pack(f"<{len(values)}{form}", *values)
            code = {"H": 3, "I": 4, "Q": 16, "d": 12, "s": 2}[form]
            if len(data) > 8:
                file.write(bytes(-file.tell() % 8))
                place = struct.pack("<Q", file.tell())
                file.write(data)
            else:
                place = data.ljust(8, b"\0")
            entries.append(struct.pack("<HHQ", tag, code, len(values)) + place)
        file.write(bytes(-file.tell() % 8))
        directory = file.tell()
        file.write(struct.pack("<Q", len(entries)) + b"".join(entries) + bytes(8))
        file.seek(8)
        file.write(struct.pack("<Q", directory))


def make_scene(folder, side, s2_names, kind="f", hole=None, deflate=True, kinds_of_tiles=6, together=False):
    """s1.tif (VV, VH in dB) and s2.tif in a folder, and the list of them. hole: (first, end) of rows and of columns within
    the tile at (1, 1) that no band of either shows. together: also all.tif, with the bands of both, where both are of one kind."""
    rng = random.Random(7)
    base = {}
    def tile(sensor, band, which):
        key = (sensor, band, which)
        if key not in base:
            base[key] = scene_tile(rng, "f", -12 - 6 * band, 1.5) if sensor == 1 else scene_tile(rng, kind, 900 + 150 * band, 250)
        return base[key]
    s1_names = ["VV", "VH"]
    def tile_of(sensor, band, row, column):
        which, form = (row * 5 + column * 3) % kinds_of_tiles, "f" if sensor == 1 else kind
        empty = hole is not None and (row, column) == (1, 1)
        make = lambda: holed(tile(sensor, band, which), form, hole, hole) if empty else tile(sensor, band, which)
        return (sensor, band, which, empty), make
    write(folder / "s1.tif", side, 2, "f", lambda *at: tile_of(1, *at), s1_names, deflate)
    write(folder / "s2.tif", side, len(s2_names), kind, lambda *at: tile_of(2, *at), s2_names, deflate)
    if together:
        of_both = lambda band, *at: tile_of(1, band, *at) if band < 2 else tile_of(2, band - 2, *at)
        write(folder / "all.tif", side, 2 + len(s2_names), "f", of_both, [*s1_names, *s2_names], deflate)
    path = folder / "scenes.csv"
    path.write_text("scene,s1,s2\nmade,s1.tif,s2.tif\n", encoding="utf-8")
    return path


def read_bytes_band(path):
    """The first band of a map of bytes: tiles or strips, DEFLATE or none, predictor 1 or 2. Rows of bytes."""
    data = path.read_bytes()
    big = data[2] == 43
    directory = struct.unpack_from("<Q" if big else "<I", data, 8 if big else 4)[0]
    count = struct.unpack_from("<Q" if big else "<H", data, directory)[0]
    sizes, forms = {1: 1, 2: 1, 3: 2, 4: 4, 12: 8, 16: 8}, {1: "B", 2: "B", 3: "H", 4: "I", 12: "d", 16: "Q"}
    tags = {}
    for k in range(count):
        at = directory + (8 + 20 * k if big else 2 + 12 * k)
        tag, kind, many = struct.unpack_from("<HHQ" if big else "<HHI", data, at)
        if kind not in sizes:
            continue
        place, room = at + (12 if big else 8), 8 if big else 4
        if many * sizes[kind] > room:
            place = struct.unpack_from("<Q" if big else "<I", data, place)[0]
        tags[tag] = struct.unpack_from(f"<{many}{forms[kind]}", data, place)
    width, height = tags[256][0], tags[257][0]
    across, down = (tags[322][0], tags[323][0]) if 322 in tags else (width, tags[278][0])
    offsets, counts = (tags[324], tags[325]) if 322 in tags else (tags[273], tags[279])
    rows = [bytearray(width) for _ in range(height)]
    wide = -(-width // across)
    for k in range(wide * -(-height // down)):
        packed = data[offsets[k]:offsets[k] + counts[k]]
        tile = zlib.decompress(packed) if tags[259][0] in (8, 32946) else packed
        for r in range(min(down, height - k // wide * down)):
            line = tile[r * across:(r + 1) * across]
            if tags.get(317, (1,))[0] == 2:
                line = bytes(each & 255 for each in itertools.accumulate(line))
            left = k % wide * across
            rows[k // wide * down + r][left:left + across] = line[:width - left]
    return rows

"""fovea predict with models of pixels: maps of scenes and of stacks, the same for any threads and after a kill; what is refused."""
import json
import shutil
import signal
import struct
import subprocess
import time
import unittest

from fovea_command import FOVEA, SOURCE, CommandTest

try:
    import h5py
except ImportError:
    h5py = None

S1, S2 = ["VV", "VH"], ["B02", "B03", "B04", "B08"]  # of the simulated scenes


def write_tiff(path, names, side, value):
    """float32, band by band in strips of 64 rows, 10 m pixels in UTM 31 N; value(band, row, column)."""
    strips = [struct.pack(f"<{side * rows}f", *(value(band, row, column) for row in range(first, first + rows) for column in range(side)))
              for band in range(len(names)) for first in range(0, side, 64) for rows in [min(64, side - first)]]
    meta = "<GDALMetadata>" + "".join(f'<Item name="DESCRIPTION" sample="{i}" role="description">{name}</Item>'
                                      for i, name in enumerate(names)) + "</GDALMetadata>\0"
    tags = {256: (4, [side]), 257: (4, [side]), 258: (3, [32] * len(names)), 259: (3, [1]), 262: (3, [1]), 273: (4, [0] * len(strips)),
            277: (3, [len(names)]), 278: (4, [64]), 279: (4, [len(strip) for strip in strips]), 284: (3, [2]), 338: (3, [0] * (len(names) - 1)),
            339: (3, [3] * len(names)), 33550: (12, [10, 10, 0]), 33922: (12, [0, 0, 0, 500000, 5600000, 0]),
            34735: (3, [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32631]), 42112: (2, list(meta.encode()))}
    letters = {2: "B", 3: "H", 4: "I", 12: "d"}
    size = {tag: struct.calcsize(f"<{len(values)}{letters[kind]}") for tag, (kind, values) in tags.items()}
    place = 8 + 6 + 12 * len(tags)
    extra, where = place, {}
    for tag in tags:
        if size[tag] > 4:
            where[tag], extra = extra, extra + size[tag] + size[tag] % 2
    offsets = []
    for strip in strips:
        offsets.append(extra)
        extra += len(strip)
    tags[273] = (4, offsets)
    entries, values_behind = b"", b""
    for tag, (kind, values) in sorted(tags.items()):
        data = struct.pack(f"<{len(values)}{letters[kind]}", *values)
        entries += struct.pack("<HHI", tag, kind, len(values)) + (struct.pack("<I", where[tag]) if tag in where else data.ljust(4, b"\0"))
    for tag in where:
        data = struct.pack(f"<{len(tags[tag][1])}{letters[tags[tag][0]]}", *tags[tag][1])
        values_behind += data + b"\0" * (len(data) % 2)
    path.write_bytes(struct.pack("<2sHIH", b"II", 42, 8, len(tags)) + entries + b"\0\0\0\0" + values_behind + b"".join(strips))


class PredictMaps(CommandTest):
    def train(self, name):
        self.expect(0, "run", SOURCE / f"experiments/fusion/{name}.toml", "-q", "--quick")
        self.model = f"runs/{self.runs()[-1].name}"

    def write_scene(self, side):
        write_tiff(self.folder / "s1.tif", S1, side, lambda band, row, column: -12.0 - 6 * band + (row * 7 + column * 3) % 11 / 4)
        write_tiff(self.folder / "s2.tif", S2, side, lambda band, row, column: 600.0 + 300 * band + 500 * ((row // 20 + column // 20) % 2))
        (self.folder / "scenes.csv").write_text("scene,s1,s2\na,s1.tif,s2.tif\nb,,s2.tif\n")

    def maps(self, folder):
        return {path.name: path.read_bytes() for path in sorted((self.folder / folder).iterdir())}

    def test_a_map_is_the_same_for_any_threads_and_after_a_kill(self):
        self.train("flood")
        self.write_scene(700)
        words = ("predict", self.model, "scenes.csv")
        summary = json.loads(self.expect(0, *words, "-o", "one", "-t", "1", "--json").stdout)
        self.assertEqual(summary["notes"][-1], "2 scenes mapped, 980000 pixels of them now")
        whole = self.maps("one")
        self.assertEqual(set(whole), {"a.tif", "a_layers.tif", "b.tif", "b_layers.tif"})
        self.expect(0, *words, "-o", "five", "-t", "5", "--memory", "200M")
        self.assertEqual(self.maps("five"), whole)
        # SIGKILL as soon as the first row of tiles of `a` stands.
        running = subprocess.Popen([FOVEA, *words, "-o", "killed", "-t", "1", "-q"], cwd=self.folder)
        part, end = self.folder / "killed/.a_layers.tif.part.tiles", time.monotonic() + 60
        while time.monotonic() < end and running.poll() is None and not (part.exists() and part.stat().st_size > 64 + 16 * 18):
            time.sleep(0.001)
        running.send_signal(signal.SIGKILL)
        running.wait()
        if running.returncode == -signal.SIGKILL and not (self.folder / "killed/a.tif").exists():
            self.assertFalse(any(name.endswith(".tif") and not name.startswith(".") for name in self.maps("killed")))
        self.expect(0, *words, "-o", "killed")
        self.assertEqual(self.maps("killed"), whole)

    def test_what_does_not_fit_is_refused(self):
        self.train("flood")
        self.write_scene(64)
        words = ("predict", self.model, "scenes.csv", "-o", "maps")
        for code, more, sentence in ((2, ("--memory", "64M"), "must be at least 128M"), (2, ("--memory", "much"), "such as 512M"),
                                     (2, ("--attention", "2"), "--attention is for models that answer case by case"),
                                     (2, ("--tif",), "--tif is for models that fill images"),
                                     (3, ("--set", "model.width=3"), "only keys of data.* can be set"),
                                     (3, ("--set", "data.classes=[\"1\", \"2\"]"), "data.classes")):
            self.assertIn(sentence, self.expect(code, *words, *more).stderr)
        self.assertFalse((self.folder / "maps").exists())
        self.assertIn("there is no such file", self.expect(4, "predict", self.model, "no.csv", "-o", "maps").stderr)
        sound = (self.folder / self.model / "model.h5").read_bytes()
        for place in range(0, len(sound), len(sound) // 23):  # damaged models are refused, or were damaged where nothing is read
            (self.folder / "bad.h5").write_bytes(sound[:place] + bytes([sound[place] ^ 0x5A]) + sound[place + 1:])
            shutil.rmtree(self.folder / "maps", ignore_errors=True)
            done = self.fovea("predict", "bad.h5", "scenes.csv", "-o", "maps", "-q")
            self.assertIn(done.returncode, (0, 4), done.stderr)
            self.assertEqual(done.returncode == 0, (self.folder / "maps/a.tif").exists())

    @unittest.skipIf(h5py is None, "python3-h5py is not installed")
    def test_a_stack_of_dates_becomes_a_map(self):
        self.train("pixels")
        with h5py.File(self.folder / "stack.h5", "w") as file:
            bands = ["B02", "B03", "B04", "B08", "B11"]
            file["s2/r10m"] = [[[[400 + 200 * band + 300 * (column // 8) + date for column in range(24)] for row in range(16)]
                                for band in range(len(bands))] for date in range(12)]
            file["s2/r10m"].attrs["bands"] = bands
            file["s2/time"] = [1.514e9 + 2592000 * date for date in range(12)]
            file["s2/scl"] = [[[9 if row < 2 else 4] * 24 for row in range(16)] for date in range(12)]
            file["x"], file["y"] = [500005.0 + 10 * k for k in range(24)], [5600235.0 - 10 * k for k in range(16)]
            file.attrs["crs"] = "EPSG:32631"
        words = ("predict", self.model, "stack.h5")
        summary = json.loads(self.expect(0, *words, "-o", "map.tif", "--json").stdout)
        self.assertEqual(summary["notes"][-1], "384 pixels mapped")
        self.assertTrue((self.folder / "map_layers.tif").exists())
        if shutil.which("gdalinfo"):
            said = subprocess.run(["gdalinfo", "-json", "map.tif"], cwd=self.folder, capture_output=True, text=True, check=True).stdout
            said = json.loads(said)
            self.assertEqual((said["size"], said["geoTransform"]), ([24, 16], [500000, 10, 0, 5600240, 0, -10]))
            self.assertIn("32631", said["coordinateSystem"]["wkt"])
        self.expect(0, *words, "-o", "rows.csv")
        self.assertIn("--memory is for models that write maps", self.expect(2, *words, "-o", "rows.csv", "--memory", "1G").stderr)
        rows = (self.folder / "rows.csv").read_text().splitlines()
        self.assertEqual(len(rows), 385)


if __name__ == "__main__":
    unittest.main()

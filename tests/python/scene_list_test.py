"""scripts/scene-list: which files of a folder belong together, by the names that data sets give them."""
import csv
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "scene-list"
PLACE = "33UUP_26_57"
S2 = f"S2A_MSIL2A_20170613T101031_N9999_R022_T{PLACE}"
NEAR, FAR = f"S1A_IW_GRDH_1SDV_20170613T165043_{PLACE}", f"S1B_IW_GRDH_1SDV_20170913T165043_{PLACE}"
HAS_GDAL = all(shutil.which(name) for name in ("gdal_create", "gdalbuildvrt", "gdal_translate", "gdalinfo"))


def made(folder, path, kind, side, value):
    path = folder / path
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["gdal_create", "-q", "-ot", kind, "-outsize", str(side), str(side), "-burn", str(value), "-a_srs", "EPSG:32633",
                    "-a_ullr", "300000", "5900000", "301200", "5898800", path], check=True)


class SceneList(unittest.TestCase):
    def setUp(self):
        self.kept = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.kept.name)
        self.addCleanup(self.kept.cleanup)

    def listed(self, code=0):
        out = self.folder / "scenes.csv"
        done = subprocess.run([sys.executable, SCRIPT, self.folder / "data", out], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        if code:
            return done.stderr
        with open(out, encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def files(self, *names):
        for name in names:
            path = self.folder / "data" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()

    def test_flood_chips(self):
        self.files("S1Hand/Spain_1_S1Hand.tif", "S2Hand/Spain_1_S2Hand.tif", "LabelHand/Spain_1_LabelHand.tif", "S1Hand/Mali_2_S1Hand.tif")
        scenes = self.listed()
        both = [row for row in scenes if row["s2"]]
        self.assertEqual(len(scenes), 2)
        self.assertEqual([(row["s1"], row["labels"]) for row in both],
                         [("data/S1Hand/Spain_1_S1Hand.tif", "data/LabelHand/Spain_1_LabelHand.tif")])

    def test_cloudy_patches(self):
        self.files("ROIs1158_spring_s1/s1_1/ROIs1158_spring_s1_1_p30.tif", "ROIs1158_spring_s2/s2_1/ROIs1158_spring_s2_1_p30.tif")
        self.assertEqual(len(self.listed()), 1)

    def test_land_cover_patches(self):
        self.files(*(f"ROIs1158_spring/{kind}_1/ROIs1158_spring_{kind}_1_p30.tif" for kind in ("s1", "s2", "lc")))
        self.files(*(f"ROIs0000_validation/{kind}_0/ROIs0000_validation_{kind}_0_p0.tif" for kind in ("s1", "s2", "dfc")))
        scenes = self.listed()
        self.assertEqual(len(scenes), 2)
        for row in scenes:
            self.assertTrue(row["s1"] and row["s2"] and row["labels"].split("/")[-2][:2] in ("lc", "df"), row)

    def test_a_folder_of_something_else(self):
        self.files("one.tif")
        self.assertIn("no file is told as s1 or s2 by its name", self.listed(4))

    @unittest.skipUnless(HAS_GDAL, "gdal-bin is missing")
    def test_patches_whose_bands_are_files(self):
        data = self.folder / "data"
        for patch in (NEAR, FAR):
            for band in ("VV", "VH"):
                made(data, f"BigEarthNet-S1/T/{patch}/{patch}_{band}.tif", "Float32", 120, -12)
        for band, side, value in (("B01", 20, 100), ("B02", 120, 200), ("B8A", 60, 850), ("B11", 60, 1100)):
            made(data, f"BigEarthNet-S2/T/{S2}/{S2}_{band}.tif", "UInt16", side, value)
        made(data, f"Reference_Maps/T/{S2}/{S2}_reference_map.tif", "UInt16", 120, 211)
        scenes = {row["scene"]: row for row in self.listed()}
        self.assertEqual(scenes[S2]["s1"], f"scenes_bands/{NEAR}.tif")   # the nearest in time
        self.assertEqual(scenes[S2]["labels"], f"data/Reference_Maps/T/{S2}/{S2}_reference_map.tif")
        self.assertEqual(scenes[FAR]["s2"], "")
        said = subprocess.run(["gdalinfo", self.folder / scenes[S2]["s2"]], capture_output=True, text=True, check=True).stdout
        self.assertIn("Size is 120, 120", said)
        self.assertEqual([line.split(" = ")[1] for line in said.splitlines() if "Description" in line], ["B01", "B02", "B8A", "B11"])


if __name__ == "__main__":
    unittest.main()

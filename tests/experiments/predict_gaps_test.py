"""fovea predict with a model that fills gaps: a stack in its own layout, the same for any number of threads; what is refused."""
import json
import shutil
import unittest

from fovea_command import SOURCE, CommandTest

try:
    import h5py
except ImportError:
    h5py = None

BANDS = ["B02", "B03", "B04", "B08", "B11"]  # of the simulated stack


class PredictGaps(CommandTest):
    def setUp(self):
        super().setUp()
        self.expect(0, "run", SOURCE / "experiments/fusion/gapfill.toml", "-q", "--quick")
        self.model = f"runs/{self.runs()[-1].name}"

    def write(self, name, bands=BANDS):
        """Fields of two kinds on nine dates, half of the fourth under a cloud."""
        with h5py.File(self.folder / name, "w") as file:
            rows = [[[[1000 + 100 * band + 400 * (column // 4 % 2) * (date % 3) + row % 2 for column in range(16)] for row in range(16)]
                     for band in range(len(bands))] for date in range(9)]
            file.create_dataset("s2/r10m", data=rows, dtype="u2", compression="gzip", chunks=(4, len(bands), 16, 16))
            file["s2/r10m"].attrs["bands"] = bands
            file["s2/time"] = [1.5e9 + 864000 * date for date in range(9)]
            file.create_dataset("s2/scl", data=[[[9 if date == 3 and row < 8 else 4] * 16 for row in range(16)] for date in range(9)],
                                dtype="u1")
            file["label/CT"] = [[7] * 16] * 16

    @unittest.skipIf(h5py is None, "python3-h5py is not installed")
    def test_a_stack_comes_back_with_its_gaps_filled(self):
        self.write("stack.h5")
        words = ("predict", self.model, "stack.h5")
        summary = json.loads(self.expect(0, *words, "-o", "one.h5", "-t", "1", "--json", "--tif").stdout)
        self.assertEqual(summary["output"], "one.h5")
        self.assertEqual(summary["notes"][0], "128 pixels of 9 dates filled")
        self.expect(0, *words, "-o", "five.h5", "-t", "5")
        self.assertEqual((self.folder / "one.h5").read_bytes(), (self.folder / "five.h5").read_bytes())
        with h5py.File(self.folder / "stack.h5") as before, h5py.File(self.folder / "one.h5") as after:
            old, new = before["s2/r10m"], after["s2/r10m"]
            self.assertEqual((old.dtype, old.chunks, old.compression), (new.dtype, new.chunks, new.compression))
            self.assertEqual(list(old.attrs["bands"]), list(new.attrs["bands"]))
            same = old[:] == new[:]
            self.assertTrue(same[:3].all() and same[4:].all() and same[3, :, 8:].all())
            self.assertTrue((abs(new[3, :, :8].astype(int) - new[3, :, 8:]) < 50).all())  # what the visible half shows
            self.assertEqual(after["s2/filled"][:].sum(), 128)
            self.assertEqual((after["s2/spread"][:] > 0).sum(), 128 * len(BANDS))
            self.assertEqual(after["label/CT"][3, 3], 7)
        self.assertEqual(len(list(self.folder.glob("one_*.tif"))), 9)

    @unittest.skipIf(h5py is None, "python3-h5py is not installed")
    def test_what_does_not_fit_is_refused(self):
        self.write("stack.h5")
        self.write("others.h5", ["B02", "B03", "B04", "B08", "B12"])
        shutil.copy(self.folder / "stack.h5", self.folder / "cut.h5")
        with open(self.folder / "cut.h5", "r+b") as file:
            file.truncate(2000)
        (self.folder / "table.csv").write_text("a,b\n1,2\n")
        for code, words, sentence in [
            (2, ["stack.h5"], "images go into a file: add -o FILE.h5."),
            (2, ["stack.h5", "-o", "x.h5", "--at", "3"], "--at is for models that answer case by case"),
            (2, ["stack.h5", "-o", "stack.h5"], "is the file of cases itself"),
            (4, ["others.h5", "-o", "x.h5"], "but the model learned B02,B03,B04,B08,B11"),
            (4, ["cut.h5", "-o", "x.h5"], "cut.h5: is damaged"),
            (4, ["table.csv", "-o", "x.h5"], "table.csv: is damaged, or no HDF5 file"),
            (4, ["absent.h5", "-o", "x.h5"], "absent.h5: there is no such file"),
            (7, ["stack.h5", "-o", "absent/x.h5"], "absent/x.h5: cannot be created"),
        ]:
            with self.subTest(words=words):
                self.assertIn(sentence, self.expect(code, "predict", self.model, *words).stderr)
        self.assertFalse((self.folder / "x.h5").exists())

    def test_inspect_says_what_the_model_is(self):
        for path in (self.model, f"{self.model}/model.h5"):
            self.assertIn("model of fusion.gapfill: fills gaps of the bands B02 B03 B04 B08 B11", self.expect(0, "inspect", path).stdout)
            json.loads(self.expect(0, "inspect", path, "--json").stdout)

    def test_its_parameters_are_not_exported(self):
        self.assertIn("are not exported", self.expect(4, "export", self.model, "--safetensors", "x.safetensors").stderr)


if __name__ == "__main__":
    unittest.main()

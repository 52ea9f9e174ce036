"""scripts/root-to-ragged: trees of jets as ragged HDF5. A stand-in for uproot gives the branches from JSON; the rest is done by
the real numpy and h5py, and is left out where they are not installed."""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("FOVEA_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
STAND_IN = """
import io, json, numpy
class Tree:
    def __init__(self, branches): self.branches = branches
    def keys(self): return list(self.branches)
    def iterate(self, names, step_size, library):
        for first in range(0, len(self.branches[names[0]]), 2):
            yield {n: [numpy.array(x) if isinstance(x, list) else x for x in self.branches[n][first:first + 2]] for n in names}
class File:
    def __init__(self, path): self.trees = json.load(io.open(path))
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def keys(self): return [name + ";1" for name in self.trees]
    def __getitem__(self, name): return Tree(self.trees[name])
def open(path): return File(path)
"""
JETCLASS = {"part_px": [[3.0, 30.0], [5.0], [0.0]], "part_py": [[4.0, 40.0], [0.0], [0.0]], "part_pz": [[0.0, 10.0], [1.0], [7.0]],
            "part_energy": [[5.0, 60.0], [6.0], [7.0]], "label_QCD": [1.0, 0.0, 0.0], "label_Hbb": [0.0, 1.0, 0.0],
            "jet_pt": [55.0, 5.0, 1.0], "jet_eta": [0.1, 0.2, 0.3], "jet_phi": [0.9, 0.0, 0.0], "jet_energy": [65.0, 6.0, 7.0]}
NANO = {"PFCands_pt": [[10.0, 20.0, 5.0]], "PFCands_eta": [[0.5, -0.5, 1.0]], "PFCands_phi": [[1.0, 2.0, 3.0]],
        "PFCands_mass": [[0.0, 0.5, 0.0]], "PFCands_pdgId": [[22, 211, -211]], "FatJetPFCands_jetIdx": [[0, 0, 1]],
        "FatJetPFCands_pFCandsIdx": [[0, 1, 2]], "FatJet_pt": [[30.0, 5.0]], "FatJet_eta": [[0.0, 1.0]],
        "FatJet_phi": [[1.5, 3.0]], "FatJet_mass": [[2.0, 0.0]]}


def has_packages():
    return subprocess.run([sys.executable, "-c", "import numpy, h5py"], capture_output=True).returncode == 0


class RootToRagged(unittest.TestCase):
    def setUp(self):
        self.keeper = tempfile.TemporaryDirectory()
        self.addCleanup(self.keeper.cleanup)
        self.folder = pathlib.Path(self.keeper.name)
        (self.folder / "modules").mkdir()

    def turn(self, code, trees, *words, stand_in=STAND_IN):
        (self.folder / "modules" / "uproot.py").write_text(stand_in)
        (self.folder / "in.root").write_text(trees if isinstance(trees, str) else json.dumps(trees))
        done = subprocess.run([sys.executable, "-B", SOURCE / "scripts" / "root-to-ragged", self.folder / "in.root", self.folder / "out.h5", *words],
                              capture_output=True, text=True, timeout=100, env=os.environ | {"PYTHONPATH": str(self.folder / "modules")})
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertLessEqual(len(done.stderr.splitlines()), 1)
        return done.stderr

    def out(self):
        import h5py
        with h5py.File(self.folder / "out.h5") as file:
            return {name: file[name][:].tolist() for name in file}, dict(file.attrs)

    def test_a_missing_package_is_named_in_one_line(self):
        said = self.turn(1, {}, stand_in="raise ImportError")
        self.assertRegex(said, r"uproot (is|are) not here; type: python3 -m pip install .*uproot")

    @unittest.skipUnless(has_packages(), "numpy and h5py are not installed")
    def test_jets_of_jetclass_are_sorted_and_labelled(self):
        self.turn(0, {"tree": JETCLASS})
        arrays, attributes = self.out()
        self.assertEqual(arrays["offsets"], [0, 2, 3, 3])          # the last particle flies along the beam
        self.assertEqual(arrays["label"], [0, 1, -1])
        self.assertEqual(attributes["label"], "0=QCD 1=Hbb")
        self.assertEqual([row[0] for row in arrays["particles"]], [50.0, 5.0, 5.0])
        self.assertAlmostEqual(arrays["particles"][0][3], math.sqrt(60**2 - 50**2 - 10**2), 4)
        self.assertAlmostEqual(arrays["particles"][2][1], math.asinh(0.2), 6)
        self.assertEqual(len(arrays["jet"]), 3)

    @unittest.skipUnless(has_packages(), "numpy and h5py are not installed")
    def test_jets_of_nanoaod_take_their_candidates(self):
        self.turn(0, {"Runs": {"run": [1]}, "Events": NANO}, "--label", "1", "--classes", "QCD,top")
        arrays, attributes = self.out()
        self.assertEqual(arrays["offsets"], [0, 2, 3])
        self.assertEqual(arrays["pid"], [211, 22, -211])
        self.assertEqual([row[0] for row in arrays["particles"]], [20.0, 10.0, 5.0])
        self.assertAlmostEqual(arrays["particles"][0][3], 0.5, 5)
        self.assertEqual((arrays["label"], attributes["label"]), ([1, 1], "0=QCD 1=top"))

    @unittest.skipUnless(has_packages(), "numpy and h5py are not installed")
    def test_other_trees_and_damage_end_in_one_line(self):
        self.assertIn("has no tree with the branches of JetClass", self.turn(4, {"t": {"x": [1]}}))
        self.assertIn("has no tree 'u'", self.turn(4, {"t": {"x": [1]}}, "--tree", "u"))
        self.assertIn("is no ROOT file of jets", self.turn(4, "root"))
        self.assertIn("points at particles that are not there", self.turn(4, {"Events": NANO | {"FatJetPFCands_pFCandsIdx": [[0, 1, 3]]}}))
        self.assertFalse((self.folder / "out.h5").exists() or (self.folder / "out.h5.part").exists())


if __name__ == "__main__":
    unittest.main()

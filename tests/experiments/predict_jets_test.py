"""fovea predict with a tagger of jets: the same scores in whatever layout, block and company; HDF5; what is refused."""
import csv
import json
import math
import os
import subprocess
import unittest

from fovea_command import FOVEA, SOURCE, CommandTest

try:
    import h5py
except ImportError:
    h5py = None

GOLDEN = SOURCE / "tests/golden/particles"
FEW, MANY = 6000, 30_000   # of 6,000 every block is full
FURTHER = 24 * 1024   # KiB: 24,000 rows in memory, with all that was made of them, would be far more
QUICK = ["data.jets=120", "trees.rounds=0", "trees.forest=0", "training.epochs=1", "ensemble.members=2", "explain.cases=0"]
# pt, eta, phi, mass of jets; two in one direction, as cells of a calorimeter are; then one of a single constituent.
JETS = [[(300 / (i + 1), 0.5 + 0.01 * i * j, 3.1 - 0.02 * i, 0.0) for i in range(j)] + [(5.0, 0.5, 3.1, 0.0)] for j in range(1, 40)]
JETS.append([(450.0, -1.0, 1.0, 0.0)])


class PredictJets(CommandTest):
    def train(self, *keys):
        settings = [word for key in [*QUICK, *keys] for word in ("--set", key)]
        self.expect(0, "run", SOURCE / "experiments/particle/toptag.toml", "-q", *settings)
        self.model = f"runs/{self.runs()[-1].name}"

    def scores(self, *words):
        self.expect(0, "predict", self.model, *words, "-q", "-o", "scores.csv")
        with open(self.folder / "scores.csv", newline="") as file:
            return list(csv.DictReader(file))

    def write(self, name, jets, labels=None, **attributes):
        """Ragged HDF5."""
        rows = [row for jet in jets for row in jet]
        offsets = [0]
        for jet in jets:
            offsets.append(offsets[-1] + len(jet))
        with h5py.File(self.folder / name, "w") as file:
            file["offsets"] = offsets
            file.create_dataset("particles", data=rows, dtype="f4", shape=(len(rows), 4))
            file["particles"].attrs["columns"] = attributes.get("columns", "pt[GeV],eta,phi,mass[GeV]")
            if labels is not None:
                file.create_dataset("label", data=labels, dtype="i1")
                file.attrs["label"] = "1=top 0=QCD"

    def test_layouts_threads_and_blocks_do_not_change_a_score(self):
        self.train()
        wanted = self.scores(GOLDEN / "atlas.h5")
        self.assertEqual([(row["jet"], row["label"]) for row in wanted], [("0", "1"), ("1", "0"), ("2", "1")])
        for words in (("--threads", 1), ("--threads", 3), ("--threads", 5), ("--batch", 1), ("--batch", 3)):
            self.assertEqual(self.scores(GOLDEN / "atlas.h5", *words), wanted)
        for row, other in zip(wanted, self.scores(GOLDEN / "top_table.h5"), strict=True):
            self.assertAlmostEqual(float(row["probability"]), float(other["probability"]), places=4)
        self.assertNotIn("label", self.scores(GOLDEN / "jetnet.h5")[0])
        self.expect(0, "predict", self.model, GOLDEN / "atlas.h5", "-o", "scores.h5", "--attention", 2)
        self.assertGreater((self.folder / "scores.h5").stat().st_size, 1000)

    def peak(self, events, threads):
        """The largest memory in KiB of a command that scores the jets of so many events, each with some 20 constituents."""
        with (self.folder / "events.dat").open("w") as file:
            for event in range(events):
                for k in range(20 + event % 5):
                    pt, along, across = 60 / (k + 1), 0.01 * (k * 7 % 13) - 0.06, 0.01 * ((k * 5 + event) % 11) - 0.05
                    momentum = pt * math.cos(across), pt * math.sin(across), pt * math.sinh(along), pt * math.cosh(along) * (1 + 1e-9)
                    file.write(" ".join(f"{one:.9g}" for one in momentum) + "\n")
                file.write("#END\n")
        if "libfastjet-dev" in self.fovea("jets", "events.dat", "-R", 1, "-o", "events.h5").stderr:
            self.skipTest("this program was built without FastJet, which finds the jets")
        program = subprocess.Popen([FOVEA, "predict", self.model, "events.h5", "-t", str(threads), "-q", "-o", "scores.csv"], cwd=self.folder)
        _, status, used = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(program.returncode, 0)
        with (self.folder / "scores.csv").open() as rows:
            self.assertGreaterEqual(sum(1 for _ in rows), events)
        return used.ru_maxrss

    def test_many_jets_are_scored_in_the_memory_of_a_few(self):
        self.train("model.pair_bias=standard")
        for threads in (1, 2):
            few, many = self.peak(FEW, threads), self.peak(MANY, threads)
            print(f"{threads} threads: {FEW} jets {few >> 10} MiB, {MANY} jets {many >> 10} MiB")
            self.assertLess(many, few + FURTHER)

    def test_what_cannot_be_scored_is_refused_and_leaves_nothing(self):
        self.train("model.pooling=mean")
        (self.folder / "events.dat").write_text("30 0 4 40\n-3 0.1 4 5.1\n#END\n")
        for words, reason in ((("events.dat", "-o", "x.h5"), "and no jets; find jets in it with `fovea jets`."),
                              ((GOLDEN / "atlas.h5", "-o", "x.h5", "--attention", "3"), "this model does not become a case by attention")):
            self.assertIn(reason, self.expect(4, "predict", self.model, *words).stderr)
        self.assertIn("leave out --at", self.expect(2, "predict", self.model, GOLDEN / "atlas.h5", "--attention", 3, "--at", 3).stderr)
        self.assertIn("write CSV", self.expect(2, "predict", self.model, GOLDEN / "atlas.h5", "--at", "3", "-o", "x.h5").stderr)
        self.assertEqual([path.name for path in self.folder.iterdir() if path.name.startswith("x.h5")], [])

    @unittest.skipIf(h5py is None, "Python has no h5py")
    def test_a_jet_has_one_score_alone_and_among_others(self):
        self.train()
        self.write("jets.h5", JETS, [j % 2 for j in range(len(JETS))])
        self.write("turned.h5", JETS[::-1])
        self.write("alone.h5", JETS[17:18])
        wanted = [row["probability"] for row in self.scores("jets.h5")]
        self.assertGreater(len(set(wanted)), 30)
        turned = self.scores("turned.h5")
        self.assertNotIn("label", turned[0])
        self.assertEqual([row["probability"] for row in turned], wanted[::-1])
        self.assertEqual([row["probability"] for row in self.scores("alone.h5")], wanted[17:18])
        self.write("mev.h5", [[(1000 * pt, *rest) for pt, *rest in jet] for jet in JETS], columns="pt[MeV],eta,phi,mass[MeV]")
        for row, probability in zip(self.scores("mev.h5"), wanted, strict=True):
            self.assertAlmostEqual(float(row["probability"]), float(probability), places=4)

    @unittest.skipIf(h5py is None, "Python has no h5py")
    def test_what_a_new_file_does_not_say_can_be_said(self):
        self.train()
        in_mev = [[(1000 * pt, *rest) for pt, *rest in jet] for jet in JETS]
        self.write("said.h5", in_mev, columns="pt[MeV],eta,phi,mass[MeV]")
        self.write("unsaid.h5", in_mev, columns="pt,eta,phi,mass")
        wanted = self.scores("said.h5")
        self.assertEqual(self.scores("unsaid.h5", "--set", "data.unit=MeV"), wanted)
        self.assertNotEqual(self.scores("unsaid.h5"), wanted)
        said = lambda *words: self.expect(0, "predict", self.model, *words, "-o", "scores.csv").stderr
        self.assertIn("unsaid.h5: the file names no unit: GeV is assumed.", said("unsaid.h5"))
        self.assertNotIn("GeV is assumed", said("unsaid.h5", "--set", "data.unit=MeV"))
        # A file that says its unit or axis itself is not overridden in silence.
        self.assertIn("said.h5: energies are read in GeV as was asked for, not in MeV", said("said.h5", "--set", "data.unit=GeV"))
        self.assertIn("said.h5: the second column is rapidity, as was asked for, not eta", said("said.h5", "--set", "data.axis=rapidity"))
        summary = json.loads(self.expect(0, "predict", self.model, "unsaid.h5", "--json", "-o", "scores.csv").stdout)
        self.assertEqual(summary["notes"][0], "unsaid.h5: the file names no unit: GeV is assumed.")
        for words, code, reason in (("data.unot=MeV", 3, "did you mean 'data.unit'?"), ("data.unit=keV", 3, "must be one of"),
                                    ("training.epochs=3", 3, "only keys of data.* can be set"),
                                    ("data.train=x.h5", 3, "the cases are those of DATA")):
            self.assertIn(reason, self.expect(code, "predict", self.model, "said.h5", "--set", words).stderr)

    @unittest.skipIf(h5py is None, "Python has no h5py")
    def test_a_jet_of_too_many_pairs_is_refused_with_the_way_out(self):
        self.train("model.pair_bias=standard")
        self.write("big.h5", [JETS[0], [(1.0, 0.0, 0.0, 0.0)] * 1_000_000])
        said = self.expect(4, "predict", self.model, "big.h5", "-o", "x.csv").stderr
        self.assertIn("big.h5: jet 1 has 1000000 particles, and the biases of all its pairs would take 1.6e+04 GB", said)
        self.assertIn('train a model with locality.mask = "nearest"', said)
        self.assertFalse((self.folder / "x.csv").exists())

    @unittest.skipIf(h5py is None, "Python has no h5py")
    def test_hdf5_rows_hold_logits_labels_and_what_is_attended_to(self):
        self.train()
        self.write("jets.h5", JETS, [-1 if j == 3 else j % 2 for j in range(len(JETS))])
        rows = self.scores("jets.h5")
        self.assertEqual(rows[3]["label"], "")
        said = self.expect(0, "predict", self.model, "jets.h5", "-o", "scores.h5", "--attention", 3, "--json").stdout
        self.assertEqual(json.loads(said)["known"], len(JETS) - 1)
        first = (self.folder / "scores.h5").read_bytes()
        self.expect(0, "predict", self.model, "jets.h5", "-o", "scores.h5", "--attention", 3, "--threads", 3, "--batch", 7, "-q")
        self.assertEqual((self.folder / "scores.h5").read_bytes(), first)
        with h5py.File(self.folder / "scores.h5") as file:
            self.assertEqual(list(file["id"]), list(range(len(JETS))))
            self.assertEqual([repr(float(p)) for p in file["probability"]], [repr(float(row["probability"])) for row in rows])
            for p, logit in zip(file["probability"], file["logit"]):
                self.assertAlmostEqual(p / (1 - p) / 2.718281828459045**logit, 1, places=9)
            self.assertEqual(file["member_logits"].shape, (len(JETS), 2))
            self.assertEqual(file["label"][2:6].tolist()[0::2] + [str(file["label"][3])], [0, 0, "nan"])
            places, shares = file["attended"][()], file["attention"][()]
            for row, jet, place, share in zip(self.scores("jets.h5", "--attention", 3), JETS, places, shares, strict=True):
                self.assertEqual(list(row)[5:], [f"{name}_{k}" for k in (1, 2, 3) for name in ("attended", "attention")] + ["label"])
                for k in range(3):
                    self.assertEqual(row[f"attended_{k + 1}"], str(place[k]) if k < len(jet) else "")
                    self.assertEqual(float(row[f"attention_{k + 1}"] or 0), share[k])
            for j, jet in enumerate(JETS):
                there = min(3, len(jet))
                self.assertEqual(len(set(places[j][:there])), there)
                self.assertTrue(all(0 <= place < len(jet) for place in places[j][:there]))
                self.assertEqual(places[j][there:].tolist(), [-1] * (3 - there))
                self.assertEqual(sorted(shares[j], reverse=True), shares[j].tolist())
                self.assertLessEqual(sum(shares[j]), 1 + 1e-9)
                self.assertGreater(sum(shares[j]), 0.999 if there == len(jet) else 0)


if __name__ == "__main__":
    unittest.main()

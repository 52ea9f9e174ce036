"""fovea jets and fovea inspect of events: rows, files that are whole or not there, exit codes, what is said."""
import json
import unittest

from fovea_command import CommandTest

EVENTS = "".join(f"{3 + e} 0 4 {((3 + e) ** 2 + 16) ** 0.5 + 0.001:.6f}\n-3 0.1 4 5.1\n#END\n" for e in range(3))
HEPMC = ("HepMC::Version 3.02.05\nHepMC::Asciiv3-START_EVENT_LISTING\nE 1 0 2\nU GEV MM\n"
         "P 1 0 211 30 0 4 40 0 1\nP 2 0 12 3 0 4 5 0 1\nHepMC::Asciiv3-END_EVENT_LISTING\n")


class ParticleFiles(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "events.dat").write_text(EVENTS)
        (self.folder / "events").write_text(HEPMC)
        self.has_fastjet = "fastjet" in self.expect(0, "doctor").stdout

    def test_jets_are_rows_on_stdout_or_in_a_file(self):
        if not self.has_fastjet:
            done = self.expect(4, "jets", "events.dat")
            self.assertEqual(done.stderr, "fovea: jets: this build has no FastJet, which finds the jets: install Debian's "
                                          "libfastjet-dev and build again.\n")
            return
        done = self.expect(0, "jets", "events.dat", "--pt-min", "1")
        rows = done.stdout.splitlines()
        self.assertEqual(rows[0], "event,rank,pt,rap,phi,mass,constituents")
        self.assertEqual([row.split(",")[:2] for row in rows[1:]], [[str(e), str(r)] for e in range(3) for r in range(2)])
        self.assertIn("6 jets in 3 events", done.stderr)
        self.assertNotIn("holds jets already", done.stderr)
        self.assertLessEqual(max(len(cell.lstrip("-").replace(".", "").split("e")[0].lstrip("0")) for row in rows[1:] for cell in row.split(",")), 9)
        self.assertNotIn("FastJet release", done.stdout + done.stderr)
        self.expect(0, "jets", "events.dat", "--pt-min", "1", "-o", "jets.csv")
        self.assertEqual((self.folder / "jets.csv").read_text(), done.stdout)
        self.expect(0, "jets", "events.dat", "--pt-min", "1", "-o", "jets.h5")
        found = json.loads(self.expect(0, "inspect", "jets.h5", "--json").stdout)
        self.assertEqual((found["kind"], found["sets"], found["particles"], found["axis"]), ("jet", 6, 6, "rapidity y"))
        self.assertIn("jets.h5: holds jets already (ragged HDF5); the constituents of each were clustered as an event of its own",
                      self.expect(0, "jets", "jets.h5", "--pt-min", "1").stderr)
        pts = sorted(float(row.split(",")[2]) for row in rows[1:])
        for stated, pt in zip(found["pt"], (pts[0], pts[-1])):
            self.assertAlmostEqual(stated, pt, places=5)
        self.assertIn("nothing to write", self.expect(4, "jets", "events.dat", "--pt-min", "99", "-o", "none.h5").stderr)
        self.assertFalse((self.folder / "none.h5").exists())
        far = self.expect(0, "jets", "events.dat", "--pt-min", "1", "--eta-max", "0.1")
        self.assertEqual(far.stdout.splitlines(), rows[:1])
        self.assertIn("3 of them without a jet", far.stderr)
        self.assertIn("1 neutrinos", self.expect(0, "jets", "events").stderr)

    def test_a_bad_file_leaves_nothing(self):
        if not self.has_fastjet:
            return
        (self.folder / "bad.dat").write_text(EVENTS + "1 nan 0 1\n")
        done = self.expect(4, "jets", "bad.dat", "-o", "jets.csv")
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.splitlines()[-1],
                         "fovea: bad.dat:line 10: py of the particle is nan, but must be finite; leave this event out.")
        self.assertFalse((self.folder / "jets.csv").exists())
        self.expect(4, "jets", "bad.dat", "-o", "jets.h5")
        self.assertFalse((self.folder / "jets.h5").exists())
        self.assertEqual([path.name for path in self.folder.iterdir() if path.name.endswith(".tmp")], [])
        self.assertIn("there is no such file", self.expect(4, "jets", "nothing.dat").stderr)
        self.assertIn("must be antikt, kt or cambridge", self.expect(2, "jets", "events.dat", "--algorithm", "cone").stderr)
        self.assertIn("must be above 0", self.expect(2, "jets", "events.dat", "--radius", "0").stderr)
        self.assertIn("is the file of events itself", self.expect(2, "jets", "events.dat", "-o", "events.dat").stderr)
        self.assertIn("--set", self.expect(2, "jets", "events.dat", "--set", "a=1").stderr)
        self.expect(7, "jets", "events.dat", "-o", "no/such/folder.csv")

    def test_inspect_says_what_a_file_is(self):
        text = self.expect(0, "inspect", "events").stdout
        for part in ("HepMC 3 ASCII, 1 event of 1 particle", "Units: energies [GeV]", "1 neutrino: no detector sees it"):
            self.assertIn(part, text)
        found = json.loads(self.expect(0, "inspect", "events.dat", "--json").stdout)
        self.assertEqual((found["format"], found["sets"], found["particles"]), ("FastJet event file", 3, 6))
        self.assertEqual(found["numbers"]["multiplicity"]["median"], 2)
        (self.folder / "events.dat").write_text(EVENTS + "1 2\n")
        self.expect(4, "inspect", "events.dat")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""Runs side by side, as a user types them: status --table, index.html, compare, export, and what is said of grids."""
import csv
import io
import json
import unittest

from fovea_command import SMALL, CommandTest

TINY = SMALL[:-2]  # with a search for the transition


class RunsTest(CommandTest):
    def test_runs_of_a_folder_as_a_table_and_a_page(self):
        for value in ["0.05", "0.1"]:
            self.expect(0, "run", "opinion.temperature", *TINY, "--set", f"model.stubbornness={value}")
        table = self.expect(0, "status", "--table").stdout
        self.assertIn("opinion.temperature: 2 runs", table)
        self.assertIn("model.stubbornness = 0.1, agents.count = 20", table)
        self.assertIn("with figures: runs/index.html", table)
        rows = list(csv.DictReader(io.StringIO(self.expect(0, "status", "--csv", "--sort", "model.stubbornness").stdout)))
        self.assertEqual([row["model.stubbornness"] for row in rows], ["0.1", ""])
        self.assertEqual(rows[0]["state"], "finished")
        self.assertIn("did you mean 'seconds'?", self.expect(2, "status", "--sort", "second s").stderr)
        page = (self.folder / "runs/index.html").read_text()
        self.assertIn("2 runs", page)
        for run in self.runs():
            self.assertIn(f'href="{run.name}/report.html"', page)
            self.assertTrue((run / json.loads((run / "manifest.json").read_text())["digest"]["picture"]).exists())
        (self.folder / "runs/index.html").write_text("mine")
        self.expect(0, "run", "opinion.temperature", *TINY)  # found; and a new one
        self.expect(0, "run", "opinion.temperature", *TINY, "--seed", "2")
        self.assertEqual((self.folder / "runs/index.html").read_text(), "mine")
        self.assertIn("is no page of runs", self.expect(4, "status", "--html").stderr)

    def test_compare_begins_with_keys_and_headlines(self):
        for agents in ["20", "30", "20"]:
            self.expect(0, "run", "opinion.temperature", *TINY[2:], "--set", f"agents.count={agents}")
        a, b = sorted(self.runs(), key=lambda run: "count = 30" in (run / "resolved.toml").read_text())
        told = self.expect(6, "compare", a, b, "-o", "page.html").stdout
        self.assertIn("keys that differ:\n  agents.count:  A 20,  B 30\n", told)
        self.assertIn("arrays, A and B:\n", told)
        self.assertNotIn("resolved_toml", told)
        self.assertLess(told.count("\n"), 30, told)
        self.assertIn("A and B compared", (self.folder / "page.html").read_text())
        self.assertIn("identical\n", self.expect(0, "compare", a, a).stdout)
        three = json.loads(self.expect(6, "compare", a, a, b, "--json").stdout)
        self.assertEqual([one["equal"] for one in three["comparisons"]], [True, False])
        self.assertEqual(three["keys"], [{"key": "agents.count", "values": ["20", "20", "30"]}])

    def test_export_has_headlines_first_and_categories_as_words(self):
        self.expect(0, "sweep", "opinion.temperature", *TINY, "--grid", "branch=cooling,heating", "--seeds", "2")
        run = self.runs()[0]
        files = self.expect(0, "export", run, "--csv", "-o", "tables").stdout.split()
        self.assertEqual(files[0], "tables/headlines.csv")
        rows = list(csv.DictReader(io.StringIO((self.folder / "tables/variance.csv").read_text())))
        self.assertEqual({row["branch"] for row in rows}, {"cooling", "heating"})
        self.expect(0, "export", run, "--netcdf", "words.nc")
        self.assertIn("branch(branch: 2) text", self.expect(0, "inspect", "words.nc").stdout)
        self.assertIn("branch(branch: 2) uint8", self.expect(0, "inspect", run).stdout)
        self.assertIn("without --csv", self.expect(2, "export", run, "--csv", "--netcdf", "words.nc").stderr)

    def test_a_sweep_that_is_none_is_told_the_right_form(self):
        self.assertIn("nothing to sweep", self.expect(2, "sweep", "opinion.temperature", *SMALL).stderr)
        self.assertIn("have it see: fovea help check or fovea help sweep",
                      self.expect(2, "run", "opinion.temperature", "--grid", "agents.count=1,2").stderr)
        for meant in ["0.1..0.2:5", "0.1:0.2:5"]:
            self.assertIn("model.stubbornness=lin:0.1..0.2:5",
                          self.expect(3, "sweep", "opinion.temperature", "--grid", f"model.stubbornness={meant}").stderr)

    def test_seeds_of_what_draws_nothing_are_computed_once(self):
        told = self.expect(0, "sweep", "opinion.temperature", *SMALL, "--seeds", "3", "-j", "1").stderr
        self.assertIn("2 of 3 points equal those of another seed, as nothing is drawn from it", told)
        told = self.expect(0, "sweep", "opinion.temperature", *SMALL, "--seeds", "3", "-j", "1", "--set",
                           "start.kind=normal").stderr
        self.assertNotIn("equal those of another seed", told)


if __name__ == "__main__":
    unittest.main()

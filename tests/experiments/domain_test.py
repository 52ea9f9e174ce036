"""fovea run DOMAIN: every config of a domain in its own run directory, and one page over them all."""
import json
import re
import shutil
import unittest

from fovea_command import SOURCE, CommandTest

QUICK = ["hijacking", "kernel_smoothing", "maximum_entropy"]  # under a second each
WEAK_ATTACK = 'experiment = "mechanism.hijacking"\ntitle = "A blind attacker takes half"\nshared = 0.0\n[sweep]\nseeds = 2\n'


class Domain(CommandTest):
    def setUp(self):
        super().setUp()
        self.configs = self.folder / "experiments" / "mechanism"
        self.configs.mkdir(parents=True)
        for name in QUICK:
            shutil.copy(SOURCE / "experiments" / "mechanism" / f"{name}.toml", self.configs)

    def test_a_line_for_each_config_and_one_page(self):
        first = self.expect(0, "run", "mechanism")
        lines = first.stdout.splitlines()
        self.assertEqual([line.split()[:2] for line in lines[:-2]], [[name, "holds"] for name in QUICK])
        self.assertEqual(lines[-2], "3 of 3 results hold")
        for line in lines[:-2]:
            self.assertRegex(line, r"holds +[\d.]+ m?s? *\S.*: holds within ")
        self.assertEqual(lines[-1], "page  runs/mechanism.html")
        directories = [path.name.rsplit("-", 1)[0] for path in self.runs()]
        self.assertEqual(directories, [f"mechanism.{name}" for name in QUICK])
        page = (self.folder / "runs" / "mechanism.html").read_text()
        self.assertIn("3 of 3 results hold", page)
        self.assertIn("One key of large norm takes all the attention, unless it is clipped", page)
        self.assertEqual(re.findall(r'(?:src|href)="(?!#|mechanism\.)[^"]*"', page), [])  # nothing is loaded
        self.assertEqual(page.count("<script"), 1)  # of its own: light and dark, saving
        for link in re.findall(r'href="(mechanism\.[^"]+)"', page):
            self.assertTrue((self.folder / "runs" / link).exists(), link)
        self.assertGreaterEqual(page.count("<svg"), len(QUICK))
        self.assertIn("found the finished run", self.expect(0, "run", "mechanism").stderr)
        self.assertEqual((self.folder / "runs" / "mechanism.html").read_text(), page)

    def test_json(self):
        run = json.loads(self.expect(0, "run", "mechanism", "--json", "-o", "elsewhere").stdout)
        self.assertEqual((run["domain"], run["holds"], run["page"]), ("mechanism", True, "elsewhere/mechanism.html"))
        self.assertEqual([(one["name"], one["state"], one["failed_checks"]) for one in run["runs"]],
                         [(name, "holds", []) for name in QUICK])
        for one in run["runs"]:
            self.assertTrue((self.folder / one["directory"] / "result.h5").exists())

    def test_what_does_not_hold_is_named_with_its_numbers(self):
        (self.configs / "blind.toml").write_text(WEAK_ATTACK)
        done = self.expect(6, "run", "mechanism")
        self.assertRegex(done.stdout, r"(?m)^blind +does not hold ")
        self.assertRegex(done.stderr, r"(?m)^fovea: blind: check failed: undefended: attack success .*: measured 0\.\d+, "
                                      r"predicted 1 within 0\.01 \(Kim, ")
        page = (self.folder / "runs" / "mechanism.html").read_text()
        self.assertIn("3 of 4 results hold", page)
        self.assertIn("does not hold", page)
        alone = self.expect(6, "run", self.configs / "blind.toml")
        self.assertIn("fovea: check failed: undefended: ", alone.stderr)
        self.assertIn("does not hold: attack success", alone.stdout.splitlines()[0])

    def test_a_quick_run_is_a_preview_that_concludes_and_judges_nothing(self):
        (self.configs / "blind.toml").write_text(WEAK_ATTACK + "[quick]\nsweep.seeds = 1\n")
        done = self.expect(0, "run", "mechanism", "--quick")
        lines = done.stdout.splitlines()
        self.assertEqual({line.split()[0]: line.split()[1] for line in lines[:-2]}["blind"], "preview")
        self.assertRegex(lines[-2], r"\d previews?, not judged$")
        self.assertNotIn("does not hold", done.stderr)
        self.assertTrue(done.stdout.endswith("page  runs/mechanism-quick.html\n"), done.stdout)
        self.assertFalse((self.folder / "runs" / "mechanism.html").exists())
        alone = self.expect(0, "run", self.configs / "blind.toml", "--quick")
        self.assertTrue(alone.stdout.startswith("A preview (--quick), smaller than its config asks for"), alone.stdout)
        self.assertRegex(alone.stdout, r"checks: \d+, not judged")
        summary = json.loads(self.expect(0, "run", self.configs / "blind.toml", "--quick", "--json").stdout)
        self.assertEqual((summary["preview"], summary["points"]), (True, 1))
        self.assertEqual([finding["kind"] for finding in summary["findings"]], ["preview"])
        self.assertFalse(any("holds" in check for check in summary["checks"]))
        folder = self.folder / summary["directory"]
        page = (folder / "report.html").read_text()
        self.assertIn("(preview)</h1>", page)
        self.assertIn("A preview (--quick)", page)
        self.assertNotRegex(page, r'class="(badge )?(good|bad)"|<tr class="failed"')
        for figure in (folder / "figures").glob("*.svg"):
            self.assertIn("<title>Preview: ", figure.read_text())
        self.assertEqual(self.expect(0, "verify", folder).returncode, 0)
        self.expect(6, "run", self.configs / "blind.toml")
        plain = self.configs / "plain.toml"
        plain.write_text(WEAK_ATTACK)
        self.assertIn("has no table [quick]", self.expect(3, "run", plain, "--quick").stderr)
        self.assertIn("have no table [quick]", self.expect(3, "run", "mechanism.hijacking", "--quick").stderr)

    def test_what_cannot_run_does_not_keep_the_others_from_it(self):
        (self.configs / "broken.toml").write_text('experiment = "mechanism.hijacking"\nkeis = 3\n')
        (self.configs / "blind.toml").write_text(WEAK_ATTACK)
        done = self.expect(5, "run", "mechanism")
        self.assertRegex(done.stdout, r"(?m)^broken +failed .*did you mean 'keys'")
        self.assertEqual(len(done.stdout.splitlines()), 7)
        self.assertIn("failed to run", (self.folder / "runs" / "mechanism.html").read_text())

    def test_seeds_are_for_all_configs_but_keys_are_not(self):
        for option in (["--set", "keys=3"], ["--grid", "keys=3,4"]):
            command = "sweep" if option[0] == "--grid" else "run"
            self.assertIn("applies to one config", self.expect(2, command, "mechanism", *option).stderr)
        run = json.loads(self.expect(0, "sweep", "mechanism", "--seeds", "6", "--json").stdout)
        self.assertEqual({one["state"] for one in run["runs"]}, {"holds"})
        self.assertIn("did you mean 'mechanism'?", self.expect(4, "run", "mechanisn").stderr)

    def test_what_depends_on_the_machine_is_no_part_of_the_result(self):
        words = ["run", "mechanism.cost", "--set", "tokens=[1024,2048]", "--set", "least_seconds=0", "--json"]
        first, second = (json.loads(self.expect(0, *words, "-o", folder).stdout) for folder in ("a", "b"))
        self.assertEqual(first["content_hash"], second["content_hash"])
        a, b = (self.folder / run["directory"] for run in (first, second))
        self.assertEqual((a / "result.h5").read_bytes(), (b / "result.h5").read_bytes())
        self.assertNotEqual((a / "machine.h5").read_bytes(), (b / "machine.h5").read_bytes())
        self.assertIn("on this machine", (a / "report.html").read_text())
        self.assertIn("machine.h5", [file["path"] for file in json.loads((a / "manifest.json").read_text())["files"]["outputs"]])
        self.assertIn("identical", self.expect(0, "verify", a).stdout)


if __name__ == "__main__":
    unittest.main()

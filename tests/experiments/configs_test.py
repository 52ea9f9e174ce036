"""Every config of the project and every command that README shows does what it says; the results are those of old, to the
bit; the real report opens in a browser, the real result in xarray."""
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import unittest

from fovea_command import SMALL, SOURCE, CommandTest

SHARED = pathlib.Path(os.environ.get("FOVEA_SHARED", SOURCE.parent / "shared")) / "data" / "opinion"
DATA = "/proc/self/cwd/data"  # leads to SHARED; the path is part of a result, so it has to read the same everywhere
# What a config is to read that is not part of the project.
FILES = {"fit_senate.toml": ["--set", f"fit.file={DATA}/senate_nominate_members.csv.gz"],
         "polblogs.toml": ["--set", f"network.edges={DATA}/polblogs.edges.csv.gz",
                           "--set", f"network.labels={DATA}/polblogs.nodes.csv.gz"]}
# The content hash of each of these results, and how they were made: content_hashes.py beside the file.
HASHES = json.loads((SOURCE / "tests" / "golden" / "content_hashes.json").read_text())
XARRAY = """
import sys, matplotlib
matplotlib.use("Agg")
import xarray
ds = xarray.open_dataset(sys.argv[1])
assert {"seed", "temperature", "branch"} <= set(ds.sizes), ds.sizes
assert ds.temperature.attrs["units"] == "opinion^2" and ds.temperature.attrs["long_name"], ds.temperature.attrs
assert ds.variance.attrs["long_name"] and ds.variance.attrs["units"], ds.variance.attrs
assert ds.branch.attrs["flag_meanings"].split() == ["cooling", "heating"], ds.branch.attrs
ds.variance.mean("seed").plot(x="temperature")
ds.variance.mean("seed").plot.line(x="temperature")
polarized = ds.variance.sel(branch=1).mean("seed")
assert float(polarized.isel(temperature=0)) > 0.5 > float(polarized.isel(temperature=-1)), polarized
"""


def quick_words(path):
    return ["--quick", *FILES.get(path.name, [])]


class Configs(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "data").symlink_to(SHARED)

    def run_config(self, path):
        done = self.expect(0, "run", path, "-o", "runs", "--json", *quick_words(path))
        return self.folder / pathlib.Path(json.loads(done.stdout)["result"]).parent

    def check_hash(self, path, folder):
        manifest = json.loads((folder / "manifest.json").read_text())
        if platform.machine() != "x86_64":
            return  # where the compiler multiplies and adds in its own way
        fused = {"avx2", "fma"} <= set(manifest["machine"]["instruction_sets"].split())
        golden = HASHES["configs"].get(f"{path.parent.name}/{path.name}")
        if golden is None:
            return  # a config that is younger than the file
        golden = golden["fused" if fused else "portable"]
        self.assertEqual(manifest["content_hash"], golden, f"{path.name}: the result is no longer that of commit "
                         f"{HASHES['commit'][:7]} (g++ 12, glibc 2.36; others may differ in last places)")

    def test_every_config_checks_and_runs(self):
        for path in sorted((SOURCE / "experiments").rglob("*.toml")):
            with self.subTest(path.name):
                text = path.read_text()
                self.assertRegex(text, r"^# .*(\n#.*)*\n# How long: ")
                self.assertIn(f"# Command:  fovea run {path.relative_to(SOURCE)}", text)
                if path.name in FILES and not SHARED.exists():
                    continue  # the data is not part of the project
                self.expect(0, "check", path, *quick_words(path))
                folder = self.run_config(path)
                self.check_hash(path, folder)
                for name in ("config.toml", "resolved.toml", "manifest.json", "result.h5", "report.html", "log", "DONE"):
                    self.assertTrue((folder / name).exists(), f"{path.name} leaves no {name}")
                self.assertTrue(list((folder / "figures").glob("*.svg")))
                self.assertLess((folder / "report.html").stat().st_size, 1_000_000)

    def test_the_real_result_opens_in_xarray_and_the_real_report_in_a_browser(self):
        folder = self.run_config(SOURCE / "experiments" / "opinion" / "temperature.toml")
        subprocess.run([sys.executable, "-c", XARRAY, folder / "result.h5"], check=True)
        subprocess.run([sys.executable, SOURCE / "tests" / "browser" / "page_test.py", folder / "report.html"], check=True,
                       stdout=subprocess.DEVNULL)

    def test_karate_says_what_share_ends_on_its_real_side(self):
        folder = self.run_config(SOURCE / "experiments" / "opinion" / "karate.toml")
        page = (folder / "report.html").read_text()
        self.assertIn("label propagation", page)
        self.assertIn("real side", page)

    def test_a_resolved_config_gives_the_same_result_again(self):
        folder = self.run_config(SOURCE / "experiments" / "opinion" / "karate.toml")
        again = self.expect(0, "run", folder / "resolved.toml", "-o", "elsewhere", "--json")
        other = self.folder / json.loads(again.stdout)["result"]
        self.assertEqual((folder / "result.h5").read_bytes(), other.read_bytes())


class Readme(CommandTest):
    def test_every_command_and_file_in_the_readme_is_real(self):
        text = (SOURCE / "README.md").read_text()
        commands = self.expect(0, "--help").stdout
        shown = re.findall(r"^fovea (\w+)(.*)$", text, re.MULTILINE)
        self.assertGreater(len(shown), 5)
        for command, rest in shown:
            self.assertRegex(commands, rf"(?m)^  {command}\b")
            for key in re.findall(r"(?:--set|--grid) ([\w.]+)=", rest):
                self.assertIn(f"{key.split('.')[-1]} =", self.expect(0, "init", "opinion.temperature").stdout)
        for path in re.findall(r"\]\(([^)#:]+)\)", text) + re.findall(r"\b(?:scripts|experiments)/[\w./-]+\w", text):
            if "my_" in path:
                continue  # what the reader is to add
            self.assertTrue((SOURCE / path).exists(), f"README names {path}")

    def test_init_gives_a_config_that_runs(self):
        config = self.folder / "my.toml"
        config.write_text(self.expect(0, "init", "opinion.temperature").stdout)
        self.expect(0, "run", config, *SMALL, "--seed", "7")


if __name__ == "__main__":
    unittest.main()

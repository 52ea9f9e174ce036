"""Every command that README shows does what it says; the real report opens in a browser, the real result in xarray.
One test a config of the project: config_test.py."""
import json
import pathlib
import re
import subprocess
import sys
import unittest

from fovea_command import SMALL, SOURCE, CommandTest

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


class Configs(CommandTest):
    def run_config(self, path):
        done = self.expect(0, "run", path, "-o", "runs", "--json", "--quick")
        return self.folder / pathlib.Path(json.loads(done.stdout)["result"]).parent

    def test_the_real_result_opens_in_xarray_and_the_real_report_in_a_browser(self):
        folder = self.run_config(SOURCE / "experiments" / "opinion" / "temperature.toml")
        subprocess.run([sys.executable, "-c", XARRAY, folder / "result.h5"], check=True)
        subprocess.run([sys.executable, SOURCE / "tests" / "browser" / "page_test.py", folder / "report.html"], check=True,
                       stdout=subprocess.DEVNULL)

    def test_karate_says_what_share_ends_on_its_real_side(self):
        folder = self.run_config(SOURCE / "experiments" / "opinion" / "karate.toml")
        page = (folder / "report.html").read_text()
        self.assertIn("label propagation", page)
        self.assertIn("observed side", page)

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
                own = re.match(r" (\w+\.(?!toml)\w+) ", rest)   # an experiment by its name, or a config of one's own
                shown_keys = self.expect(0, "init", own.group(1) if own else "opinion.temperature").stdout
                self.assertIn(f"{key.split('.')[-1]} =", shown_keys)
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

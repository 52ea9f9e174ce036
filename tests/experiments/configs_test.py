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

from fovea_command import SOURCE, CommandTest

SHARED = pathlib.Path(os.environ.get("FOVEA_SHARED", SOURCE.parent / "shared")) / "data" / "opinion"
DATA = "/proc/self/cwd/data"  # leads to SHARED; the path is part of a result, so it has to read the same everywhere
FEWER = ["--set", "temperature.count=3", "--set", "rest.steps_max=60", "--set", "transition.find=false"]
CROWD = ["--set", "agents.count=300", *FEWER]
PHASE_NOISE = ["--set", "phase.sizes=[10,20]", "--set", "phase.points=5", "--set", "phase.steps=40", "--set",
               "phase.burn_in=10", "--set", "phase.replicas=2", "--set", "phase.rounds_max=2", "--set", "phase.draws=100"]
# How each config is made quick; a new config needs a line here.
QUICK = {
    "activity.toml": ["--set", "agents.count=200", "--set", "run.steps=40"],
    "alignment.toml": ["--set", "sentences.training=60", "--set", "sentences.validation=10", "--set", "sentences.test=20",
                       "--set", "training.epochs=2"],
    "attention.toml": ["--set", "longest_delay=5", "--set", "noise=[1.0,8.0]", "--set", "training.steps=20"],
    "averaging.toml": ["--set", "agents.count=60", *FEWER],
    "bots.toml": ["--set", "agents.count=200"],
    "confounder.toml": ["--set", "steps.training=200", "--set", "steps.validation=100", "--set", "steps.test=200",
                        "--set", "training.epochs=2"],
    "cost.toml": ["--set", "tokens=[1024,2048,4096]", "--set", "least_seconds=0"],
    "discover.toml": [],
    "echo_chambers.toml": ["--set", "agents.count=120", *FEWER],
    "explanation.toml": ["--set", "explained=3", "--set", "steps=4", "--set", "reviews.training=60",
                         "--set", "reviews.validation=10", "--set", "reviews.test=20", "--set", "training.epochs=2"],
    "fit.toml": ["--set", "fit.surface=0", "--set", "fit.rivals=false", "--set", "fit.nodes=41"],
    "fit_coverage.toml": ["--set", "fit.nodes=11", "--set", "fit.components=1", "--set", "truth.agents=100",
                          "--set", "truth.periods=4", "--set", "truth.sample=50"],
    "fit_senate.toml": ["--set", f"fit.file={DATA}/senate_nominate_members.csv.gz", "--set", "fit.first=108",
                        "--set", "fit.window=5", "--set", "fit.stride=6", "--set", "fit.nodes=31"],
    "heads.toml": ["--set", "training_examples=200", "--set", "validation_examples=20", "--set", "test_examples=100",
                   "--set", "epochs=2", "--set", "looked_at=50"],
    "hijacking.toml": [],
    "karate.toml": [],
    "kernel_smoothing.toml": [],
    "long_range.toml": ["--set", "delays=[10,20,30]", "--set", "alone_delays=[10,20,30]", "--set",
                        "gradient_steps=[10,14,20,30]", "--set", "training_examples=64", "--set", "validation_each=4", "--set", "test_each=8",
                        "--set", "epochs=1", "--set", "forgetting_steps=200"],
    "masks.toml": ["--set", "training_examples=200", "--set", "validation_examples=20", "--set", "test_examples=100",
                   "--set", "epochs=1", "--set", "changes=10"],
    "maximum_entropy.toml": [],
    "moderation.toml": ["--set", "attack.shares=[0.03,0.1]", "--set", "attack.loudness=[1,2,4]"],
    "network.toml": ["--set", "bootstrap.draws=10"],
    "oracle.toml": ["--set", 'targets=["two_camps","ripples","orthonormal_tokens","tricritical","E12","data"]'],
    "pair.toml": ["--set", "generated.related=1", "--set", "generated.unrelated=1", "--set", "unrelated.draws=9"],
    "phase.toml": ["--set", "phase.sizes=[60,120]", "--set", "phase.points=5", "--set", "phase.resolution=0.1",
                   "--set", "phase.tolerance=1e-4"],
    "phase_confidence.toml": ["--set", "phase.sizes=[101,201]", "--set", "phase.points=4", "--set", "phase.resolution=0.01"],
    "phase_first_order.toml": PHASE_NOISE,
    "phase_noise.toml": PHASE_NOISE,
    "polblogs.toml": ["--set", f"network.edges={DATA}/polblogs.edges.csv.gz",
                      "--set", f"network.labels={DATA}/polblogs.nodes.csv.gz", "--set", "rest.steps_max=200"],
    "position.toml": ["--set", "training_examples=200", "--set", "validation_examples=20", "--set", "test_examples=200",
                      "--set", "epochs=1", "--set", "permuted_sets=3"],
    "scaling.toml": ["--set", "dimensions=[2,64,4096]", "--set", "pairs=200"],
    "simulate.toml": ["--set", "agents.count=1000"],
    "stability.toml": ["--set", "agents.count=120", "--set", "temperature.count=5", "--set", "temperature.resolution=1e-2",
                       "--set", "loss_tolerance=1e-2"],
    "stability_circle.toml": ["--set", "agents.count=40", "--set", "temperature.count=5"],
    "temperature.toml": ["--set", "agents.count=300", "--set", "temperature.values=[0.006,0.008,0.01,0.02,0.04,0.08,0.16,0.3]"],
    "temperature_random.toml": CROWD,
}
# Made quick, these learn or measure too little: their checks may fail, with exit code 6.
TOO_QUICK = {"alignment.toml", "attention.toml", "confounder.toml", "explanation.toml", "fit_coverage.toml", "heads.toml",
             "long_range.toml",
             "masks.toml", "phase.toml", "phase_confidence.toml", "phase_first_order.toml", "phase_noise.toml", "position.toml"}
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
    return QUICK[path.name]


class Configs(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "data").symlink_to(SHARED)

    def run_config(self, path):
        done = self.fovea("run", path, "-o", "runs", "--json", *quick_words(path))
        self.assertIn(done.returncode, (0, 6) if path.name in TOO_QUICK else (0,), f"{path}\n{done.stderr}")
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
                if DATA in " ".join(quick_words(path)) and not SHARED.exists():
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
        self.expect(0, "run", config, "--set", "agents.count=100", "--seed", "7", *FEWER)


if __name__ == "__main__":
    unittest.main()

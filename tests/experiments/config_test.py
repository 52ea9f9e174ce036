"""One config of the project, made quick: its first lines say what is needed, it checks and runs, leaves every file, and its
result is that of old, to the bit:    config_test.py DOMAIN/NAME.toml"""
import json
import os
import pathlib
import platform
import re
import shutil
import sys
import unittest

from fovea_command import FOVEA, SOURCE, CommandTest, shared_data

SHARED = shared_data("opinion")
# What a config is to read that is not part of the project.
FILES = {"fit_senate.toml": ["--set", f"data.file={SHARED}/senate_nominate_members.csv.gz"],
         "polblogs.toml": ["--set", f"network.edges={SHARED}/polblogs.edges.csv.gz",
                           "--set", f"network.labels={SHARED}/polblogs.nodes.csv.gz"]}
# The hashes of numbers and of words of each of these results, and how they were made: content_hashes.py beside the file.
HASHES = json.loads((SOURCE / "tests" / "golden" / "content_hashes.json").read_text())
LIBRARY = ("GNU 12.2.0", ("glibc", "2.36"))  # with which they were made; the last places of others may differ
# On which all were found equal; on others an older processor is imitated if they differ.
PROCESSORS = ("AMD EPYC", "Intel(R) Xeon")
WITHOUT_RIDGE = {"fusion/gapfill.toml", "fusion/match.toml", "fusion/moisture.toml"}  # models that have other references
NAME = "opinion/temperature.toml"


def quick_words(path):
    return ["--quick", *FILES.get(path.name, [])]


class Config(CommandTest):
    def setUp(self):
        super().setUp()
        self.assertIn(NAME, HASHES["configs"], "add it: python3 tests/golden/content_hashes.py CHECKOUT " + NAME)
        self.path = SOURCE / "experiments" / NAME
        if self.path.name in FILES and not SHARED:
            self.skipTest("the data is not part of the project: FOVEA_SHARED says where it is")

    def run_config(self, output="runs", environment=None):
        done = self.expect(0, "run", self.path, "-o", output, "--json", *quick_words(self.path), environment=environment)
        self.headlines = json.loads(done.stdout)["headlines"]
        return self.folder / pathlib.Path(json.loads(done.stdout)["result"]).parent

    def test_its_head_says_what_it_is_and_it_checks(self):
        text = self.path.read_text()
        self.assertRegex(text, r"^# .*(\n#.*)*\n# How long: ")
        self.assertIn(f"# Command:  fovea run {self.path.relative_to(SOURCE)}", text)
        self.expect(0, "check", self.path, *quick_words(self.path))

    def test_it_runs_and_its_result_is_that_of_old(self):
        folder = self.run_config()
        for name in ("config.toml", "resolved.toml", "manifest.json", "result.h5", "report.html", "log", "DONE"):
            self.assertTrue((folder / name).exists(), f"{NAME} leaves no {name}")
        self.assertTrue(list((folder / "figures").glob("*.svg")))
        self.check_against_ridge(folder)
        self.assertLess((folder / "report.html").stat().st_size, 1_000_000)
        self.keep_page(folder)
        self.check_hashes(folder, json.loads((folder / "manifest.json").read_text()))

    def keep_page(self, folder):
        """Where FOVEA_PAGES says: for the test of all pages in a browser."""
        if "FOVEA_PAGES" in os.environ:
            pages = pathlib.Path(os.environ["FOVEA_PAGES"])
            pages.mkdir(parents=True, exist_ok=True)
            shutil.copy(folder / "report.html", pages / NAME.replace("/", "_").replace(".toml", ".html"))

    def check_against_ridge(self, folder):
        """A preview of a learned question is long enough to be as good as its ridge model, to the hundredth."""
        values = {one["label"]: one["values"][0]["value"] for one in self.headlines if one["values"]}
        ridges = {label: ridge for label, ridge in values.items() if label.endswith(", ridge model")}
        if (folder / "model.h5").exists() and NAME not in WITHOUT_RIDGE:
            self.assertTrue(ridges, f"{NAME}: a learned question without a ridge model to compare with")
        for label, ridge in ridges.items():
            ours = values[label.removesuffix(", ridge model")]
            better = ridge - ours if "error" in label or "loss" in label else ours - ridge
            self.assertGreater(better, -0.01, f"{NAME}: {label} has {ridge}, the preview {ours}")

    def check_hashes(self, folder, manifest):
        if platform.machine() != "x86_64" or (manifest["fovea"]["compiler"], platform.libc_ver()) != LIBRARY:
            return  # sums that end in other last places
        golden = HASHES["configs"][NAME]
        kind = "portable" if manifest["machine"]["kernels"] == "portable" else "fused"
        cpu = manifest["machine"]["cpu"]
        machine = f"{cpu}, {manifest['machine']['instruction_sets']}"
        found = self.hashes(folder)
        if found != golden[kind] and not cpu.startswith(PROCESSORS):
            print(f"{NAME}: other bits on {machine}: {found}; on an older processor, imitated:")
            found, kind = self.hashes(self.run_config("portable", self.older_processor())), "portable"
        for part, way in (("numbers", ""), ("words", " --words")):
            with self.subTest(part):
                self.assertEqual(found[part], golden[kind][part],
                                 f"{NAME}: the {part} are no longer those of commit {HASHES['commit'][:7]} ({machine}); "
                                 f"where that is meant: python3 tests/golden/content_hashes.py{way} CHECKOUT")

    def hashes(self, folder):
        inspected = json.loads(self.expect(0, "inspect", folder, "--json").stdout)
        return {"numbers": inspected["numbers_hash"], "words": inspected["words_hash"]}

    def older_processor(self):
        """An environment in which a run takes no instruction of newer processors: the same on every x86-64."""
        sys.path.insert(0, str(SOURCE / "tests" / "golden"))
        import content_hashes
        return content_hashes.processors(FOVEA, self.folder)["portable"]


if __name__ == "__main__":
    NAME = sys.argv.pop()
    unittest.main()

"""One config of the project, made quick: its first lines say what is needed, it checks and runs, leaves every file, and its
result is that of old, to the bit:    config_test.py DOMAIN/NAME.toml"""
import json
import os
import pathlib
import platform
import re
import sys
import unittest

from fovea_command import FOVEA, SOURCE, CommandTest

SHARED = pathlib.Path(os.environ.get("FOVEA_SHARED", SOURCE.parent / "shared")) / "data" / "opinion"
# What a config is to read that is not part of the project.
FILES = {"fit_senate.toml": ["--set", f"data.file={SHARED}/senate_nominate_members.csv.gz"],
         "polblogs.toml": ["--set", f"network.edges={SHARED}/polblogs.edges.csv.gz",
                           "--set", f"network.labels={SHARED}/polblogs.nodes.csv.gz"]}
# The content hash of each of these results, and how they were made: content_hashes.py beside the file.
HASHES = json.loads((SOURCE / "tests" / "golden" / "content_hashes.json").read_text())
LIBRARY = ("GNU 12.2.0", ("glibc", "2.36"))  # with which they were made; the last places of others may differ
PROCESSORS = ("AMD EPYC",)  # on which they were looked at; on others an older processor is imitated if they differ
NAME = "opinion/temperature.toml"


def quick_words(path):
    return ["--quick", *FILES.get(path.name, [])]


class Config(CommandTest):
    def setUp(self):
        super().setUp()
        self.path = SOURCE / "experiments" / NAME
        if self.path.name in FILES and not SHARED.exists():
            self.skipTest("the data is not part of the project")

    def run_config(self, output="runs", environment=None):
        done = self.expect(0, "run", self.path, "-o", output, "--json", *quick_words(self.path), environment=environment)
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
        self.assertLess((folder / "report.html").stat().st_size, 1_000_000)
        self.check_hash(json.loads((folder / "manifest.json").read_text()))

    def check_hash(self, manifest):
        golden = HASHES["configs"].get(NAME)
        if golden is None or platform.machine() != "x86_64" or (manifest["fovea"]["compiler"], platform.libc_ver()) != LIBRARY:
            return  # a config that is younger than the file, or sums that end in other last places
        fused = manifest["machine"]["kernels"] != "portable"
        cpu = manifest["machine"]["cpu"]
        machine = f"{cpu}, {manifest['machine']['instruction_sets']}"
        if manifest["content_hash"] != golden["fused" if fused else "portable"] and not cpu.startswith(PROCESSORS):
            print(f"{NAME}: other bits on {machine}: {manifest['content_hash']}; on an older processor, imitated:")
            manifest, fused = self.portable_manifest(), False
        self.assertEqual(manifest["content_hash"], golden["fused" if fused else "portable"],
                         f"{NAME}: the result is no longer that of commit {HASHES['commit'][:7]} ({machine})")

    def portable_manifest(self):
        """Of a run that takes no instruction of newer processors: the same on every x86-64."""
        sys.path.insert(0, str(SOURCE / "tests" / "golden"))
        import content_hashes
        environment = content_hashes.processors(FOVEA, self.folder)["portable"]
        return json.loads((self.run_config("portable", environment) / "manifest.json").read_text())


if __name__ == "__main__":
    NAME = sys.argv.pop()
    unittest.main()

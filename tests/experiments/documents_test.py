"""What README.md and the first parts of the domains' documents tell a reader to type, typed as it stands there on the data of
`fovea example`; the examples themselves; bundled configs by name; runs by name."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from fovea_command import FOVEA, LONGEST, SMALL, SOURCE, CommandTest

DOMAINS = sorted(path.parent.name for path in SOURCE.glob("domains/*/domain.cpp"))
# Not typed, and why.
NOT_TYPED = {r"^scripts/": "tested by itself, or asks a network",
             r"polblogs\.gml|Sall_members\.csv|data/nafld/|fredmd\.csv|=vintages|newer\.csv": "their data are no part of the project"}
# Typed as `fovea check`: CTest runs every config, and the others take minutes.
CHECKED = r"^fovea (run|sweep) (?!study\.table|my\.toml --set)"
DATA = r"experiments/.*=[a-z_]+\.(csv|h5)\b"  # a config run on an example: made quick
SMALL_TOML = "\n".join(SMALL[1::2])  # KEY=VALUE is TOML as well
# Small models for the commands that predict.
FEW_PIXELS = "--set training.renditions=2 --set training.epochs=1 --set data.pixels=2000 --set data.validation_pixels=1000"
MODELS = ["run particle.toptag --set data.jets=300 --set training.epochs=1 --set ensemble.members=1", f"run flood {FEW_PIXELS}"]


def commands(path, first=False):
    """The lines of its blocks for a shell, of the first block alone; what is indented below a command is what it prints."""
    blocks = re.findall(r"^```sh\n(.*?)^```", path.read_text(), re.DOTALL | re.MULTILINE)
    for block in blocks[:1] if first else blocks:
        for line in re.sub(r" \\\n +", " ", block).splitlines():
            if line and not line.startswith((" ", "#")):
                yield line


class Documents(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "bin").mkdir()
        for name in ("fovea", "fovea-mpi"):
            (self.folder / "bin" / name).symlink_to(pathlib.Path(FOVEA).resolve().with_name(name))
        self.environment = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
        self.place = self.folder
        self.has_fastjet = "fastjet" in self.expect(0, "doctor").stdout  # a build may be without

    def type(self, line):
        done = subprocess.run(["bash", "-c", line], cwd=self.place, capture_output=True, text=True, timeout=LONGEST, env=self.environment)
        self.assertIn(done.returncode, (0, 6), f"{line}\n{done.stdout}\n{done.stderr}")  # 6: a small model may miss a prediction
        return done.stdout

    def type_document(self, path, first=False):
        typed = 0
        for line in commands(path, first):
            if any(re.search(pattern, line) for pattern in NOT_TYPED) or line.startswith("fovea jets ") and not self.has_fastjet:
                continue
            with self.subTest(document=path, line=line):
                if line.endswith("&& cd data") or "&& cd data " in line:
                    self.type(line)
                    self.place = self.folder / "data"
                elif (domain := re.match(r"fovea run (\w+)( |$)", line)) and domain[1] in DOMAINS:
                    self.assertIn(f"  {domain[1]}/", self.type(f"fovea list configs {domain[1]}"))
                elif re.match(CHECKED, line) and re.search(DATA, line):
                    self.type(re.sub(r"( +#.*)?$", f" {FEW_PIXELS}" if "fusion" in line else " --quick", line, count=1))
                elif re.match(CHECKED, line):
                    self.type(re.sub(r" --jobs \d+", "", re.sub(r"^fovea \w+", "fovea check", line)))
                else:
                    self.type(line)
                typed += 1
        self.assertGreater(typed, 2, path)

    def test_the_blocks_of_readme_and_of_the_domains_can_be_typed(self):
        self.type("fovea example all data")
        self.place = self.folder / "data"
        for model in MODELS:
            self.type("fovea " + model)
        for path in self.place.glob("*.*"):  # README writes them itself
            path.unlink()
        self.place = self.folder
        self.type_document(SOURCE / "README.md")
        self.assertEqual(self.place, self.folder / "data")
        for domain in DOMAINS:
            self.type_document(SOURCE / "domains" / domain / "README.md", first=True)

    def test_the_commands_for_clusters_leave_one_result_whoever_starts_the_processes(self):
        (self.folder / "my.toml").write_text(f'experiment = "opinion.temperature"\nstart.kind = "normal"\n{SMALL_TOML}')
        self.environment.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")
        results, together = set(), 0
        for line in commands(SOURCE / "core/lab/cluster/README.md"):
            needed = [word for word in line.split() if word in ("parallel", "mpirun", "fovea-mpi")]
            missing = [tool for tool in needed if not shutil.which(tool, path=self.environment["PATH"])]
            if missing:
                print(f"skipped: {missing[0]} is missing; scripts/setup cluster installs what it needs")
                continue
            with self.subTest(line=line):
                if " --shard " in line:
                    together += 1
                    shutil.rmtree(self.folder / "runs", ignore_errors=True)
                self.type(line)
                if " --shard " in line:
                    (result,) = self.folder.glob("runs/*/result.h5")
                    results.add(result.read_bytes())
        self.assertGreaterEqual(together, 2)
        self.assertEqual(len(results), 1)
        self.assertIn("#SBATCH --array=1-4", (self.folder / "job.sh").read_text())

    def test_the_table_of_links_in_readme_is_that_of_the_example(self):
        self.type("fovea example gauges.csv")
        table = re.search(r"first command begins:\n(.*?)```", (SOURCE / "README.md").read_text(), re.DOTALL)[1]
        self.assertIn(table, self.type("fovea lags gauges.csv --max-lag 20"))


class Examples(CommandTest):
    def test_they_are_listed_written_and_small_and_are_what_their_names_say(self):
        listed = json.loads(self.expect(0, "example", "--json").stdout)
        self.assertIn("  gauges.csv", self.expect(0, "example").stdout)
        written = self.expect(0, "example", "all", "data").stdout.split()
        self.assertEqual(sorted(written), sorted(f"data/{name}" for one in listed for name in one["files"]))
        self.assertEqual(sorted(written), sorted(f"data/{path.name}" for path in (self.folder / "data").iterdir()))
        self.assertLess(sum((self.folder / name).stat().st_size for name in written), 1_000_000)
        for one in listed:
            with self.subTest(one["name"]):
                self.expect(0, "inspect", "data/" + one["name"])
        again = {name: (self.folder / name).read_bytes() for name in written}
        self.expect(0, "example", "all", "data", "--force")
        for name in written:
            self.assertEqual((self.folder / name).read_bytes(), again[name], name)

    def test_a_file_that_is_there_is_not_written_over(self):
        (self.folder / "gauges.csv").write_text("mine")
        self.assertIn("gauges.csv: is there already", self.expect(7, "example", "gauges").stderr)
        self.assertEqual((self.folder / "gauges.csv").read_text(), "mine")
        self.assertIn("did you mean 'gauges.csv'?", self.expect(2, "example", "guages.csv").stderr)
        self.assertIn("next  fovea lags gauges.csv", self.expect(0, "example", "gauges.csv", "-f").stderr)


class Names(CommandTest):
    def test_a_bundled_config_is_found_by_its_name_and_a_file_wins(self):
        for name in ("temperature", "opinion/temperature", "experiments/opinion/temperature.toml"):
            with self.subTest(name):
                self.assertIn("opinion/temperature.toml: valid; opinion.temperature, 2 points", self.expect(0, "check", name).stdout)
        self.assertIn("config  ", self.expect(0, "run", "hijacking").stderr)
        (self.folder / "temperature").write_text('experiment = "mechanism.hijacking"\n')
        self.assertIn("temperature: valid; mechanism.hijacking", self.expect(0, "check", "temperature").stdout)
        self.assertIn("did you mean 'temperature'?", self.expect(4, "check", "temprature").stderr)
        self.assertIn("did you mean 'opinion/temperature'?", self.expect(4, "check", "opinion/temprature").stderr)
        self.assertIn("give one of: fovea list configs opinion", self.expect(3, "check", "opinion").stderr)
        self.assertRegex(self.expect(2, "init", "hijacking").stderr, r"is a bundled config; copy it: cp \S+/hijacking.toml my.toml")
        self.expect(4, "check", "temperature.toml")  # a file of one's own that is not there is not taken from elsewhere

    def test_an_ambiguous_name_lists_its_candidates(self):
        for domain in ("lag", "study"):
            (self.folder / "experiments" / domain).mkdir(parents=True)
            (self.folder / "experiments" / domain / "mine.toml").write_text('experiment = "lag.pair"\n')
        self.assertIn("give one of lag/mine, study/mine", self.expect(3, "check", "mine").stderr)
        self.expect(0, "check", "lag/mine")

    def test_configs_are_listed_with_title_time_and_needs(self):
        rows = json.loads(self.expect(0, "list", "configs", "--json").stdout)["configs"]
        self.assertEqual({row["name"] for row in rows},
                         {f"{path.parent.name}/{path.stem}" for path in SOURCE.glob("experiments/*/*.toml")})
        for row in rows:
            self.assertTrue(row["title"] and row["time"], row)
            needs = row["name"] in ("opinion/polblogs", "opinion/fit_senate")
            self.assertEqual(bool(row["needs"]), needs, row)
        self.assertNotIn("lag/", self.expect(0, "list", "configs", "opinion").stdout)
        self.expect(2, "list", "scores", "opinion")

    def test_a_run_is_named_by_its_experiment(self):
        self.assertIn("there is no run with a page in runs", self.expect(4, "open").stderr)
        self.assertIn("opinion.temperature: there is no run of it in runs", self.expect(4, "verify", "opinion.temperature").stderr)
        for seed in (1, 2):
            self.expect(0, "run", "opinion.temperature", *SMALL, "--seed", seed)
        newest = max(self.runs(), key=lambda path: (path / "manifest.json").stat().st_mtime_ns)
        self.assertIn(f"the last run of opinion.temperature: runs/{newest.name}", self.expect(0, "verify", "opinion.temperature").stderr)
        self.assertEqual(self.expect(0, "report").stdout, f"runs/{newest.name}/report.html\n")
        self.assertIn("seed: 2", self.expect(0, "inspect", "opinion.temperature").stdout)
        self.expect(0, "run", "hijacking")
        self.assertRegex(self.expect(0, "open", "hijacking").stderr, "the last run of hijacking: runs/mechanism.hijacking-")
        self.assertIn("temperature: there is no run of it", self.expect(4, "open", "temperature").stderr)  # others have other titles
        self.assertIn("runs/mechanism.html: there is no such run or page", self.expect(4, "open", "mechanism").stderr)
        self.assertIn("with a model", self.expect(4, "predict", "opinion.temperature", "x.csv").stderr)

    def test_open_starts_what_shows_pages_or_prints_where_the_page_is(self):
        self.expect(0, "run", "opinion.temperature", *SMALL)
        page = self.runs()[0] / "report.html"
        said = self.expect(0, "open", environment={"DISPLAY": "", "WAYLAND_DISPLAY": ""})
        self.assertEqual(said.stdout, f"{page}\n")
        self.assertIn("there is no display here", said.stderr)
        opener = self.folder / "xdg-open"
        opener.write_text(f'#!/bin/sh\necho "$1" > {self.folder}/opened\n')
        opener.chmod(0o755)
        shown = self.expect(0, "open", "opinion.temperature", environment={"DISPLAY": ":9", "PATH": f"{self.folder}:{os.environ['PATH']}"})
        self.assertEqual((shown.stdout, "no display" in shown.stderr), (f"{page}\n", False))
        for _ in range(100):
            if (self.folder / "opened").exists() and (self.folder / "opened").read_text():
                break
            subprocess.run(["sleep", "0.05"], check=True)
        self.assertEqual((self.folder / "opened").read_text(), f"{page}\n")
        self.assertIn("is no page", self.expect(4, "open", "xdg-open").stderr)


class Doors(CommandTest):
    def test_an_input_that_is_not_there_ends_alike_everywhere(self):
        for words in ("run no.toml", "check no", "lags no.csv", "measure no.csv", "measure --edges no.csv", "inspect no.csv", "jets no.dat",
                      "run study.table --set data.file=no.csv", "predict no.h5 no.csv", "verify no", "open no"):
            with self.subTest(words):
                if words != "jets no.dat" or "fastjet" in self.fovea("doctor").stdout:
                    self.assertIn(": ", self.expect(4, *words.split()).stderr)
        self.expect(3, "run", "study.table", "--set", "data.file=no.csv", "--set", "data.taget=x")  # and a key that is none

    def test_another_kind_of_file_is_answered_with_its_kind_and_the_way(self):
        self.expect(0, "example", "gauges.csv")
        self.expect(0, "example", "survey.csv")
        (self.folder / "my.toml").write_text('experiment = "lag.pair"\n')
        (self.folder / "s.dta").write_bytes(b"\x72\x02\x01\0\x05\0\x10\0" + bytes(300))
        (self.folder / "s.sas7bdat").write_bytes(bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c") + bytes(300))
        (self.folder / "q.csv").write_text("q1,q2,q3\n" + "".join(f"{i % 7},{i * i % 5},{i * 3 % 4}\n" for i in range(80)))
        for code, words, sentence in [(4, "lags my.toml", "is a config, not data. To run it: fovea run my.toml"),
                                      (4, "measure my.toml", "is a config, not data. To run it: fovea run "),
                                      (3, "run gauges.csv", "is no config. If it is a table of time series: fovea lags gauges.csv"),
                                      (4, "lags s.dta", "is a file of Stata, which is not read here"),
                                      (4, "inspect s.sas7bdat", "is a file of SAS (sas7bdat), which is not read here")]:
            with self.subTest(words):
                self.assertIn(sentence, self.expect(code, *words.split()).stderr)
        self.assertIn("If it is a survey: fovea measure q.csv", self.expect(0, "lags", "q.csv", "--max-lag", 2).stderr)
        self.assertNotIn("fovea measure", self.expect(0, "lags", "gauges.csv", "--max-lag", 2).stderr)

    @unittest.skipIf(os.geteuid() != 0, "only root may step down to somebody who may not write")
    def test_in_a_folder_that_cannot_be_written_the_links_are_printed_and_that_no_page_was_kept(self):
        self.expect(0, "example", "gauges.csv")
        self.folder.chmod(0o755)
        nobody = {"user": 65534, "group": 65534, "extra_groups": []}
        try:
            done = self.expect(0, "lags", "gauges.csv", "--max-lag", 5, **nobody)
        except PermissionError:
            self.skipTest("nobody else may reach the program")
        self.assertIn("upstream  town", done.stdout)
        self.assertIn("runs: cannot be written here, so no page and no result was kept", done.stderr)
        self.assertNotIn("report", done.stdout)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["gauges.csv"])
        self.assertNotIn("no page", self.expect(0, "lags", "gauges.csv", "--max-lag", 5).stderr)


if __name__ == "__main__":
    unittest.main()

"""The command as its users meet it: options, help, exit codes, what is printed where, JSON."""
import json
import os
import pty
import re
import subprocess
import unittest

from fovea_command import FOVEA, SMALL, SOURCE, CommandTest, processor_seconds


class Usage(CommandTest):
    def test_every_command_has_help_with_examples_first(self):
        overview = self.expect(0, "--help").stdout
        self.assertEqual(self.expect(0).stdout, overview)  # also without a word
        names = [line.split()[0] for line in overview.split("Commands:\n")[1].split("\n\n")[0].splitlines()]
        self.assertEqual(set(names), {"list", "init", "check", "example", "run", "sweep", "resume", "verify", "merge", "slurm", "predict", "lags", "measure", "inpaint", "radiomics", "jets", "open",
                                      "status", "report", "compare", "inspect", "export", "doctor", "version"})
        for name in names:
            text = self.expect(0, "help", name).stdout
            self.assertLess(text.index("Examples:"), text.index("Usage:"))
            self.assertEqual(text, self.expect(0, name, "--help").stdout)
            self.assertLess(max(map(len, text.splitlines())), 140)
            options = text.split("Options:\n")[1].split("\n\n")[0].splitlines()
            for line in options:  # two blanks or more between an option and its meaning, which stand in one column
                self.assertRegex(line, r"^  (-\w,|   ) --[\w-]+( [\w|=/,-]+)?  +\S")
            self.assertEqual(len({re.match(r".{6}--\S+( \S+)?  +", line).end() for line in options}), 1, text)

    def test_help_takes_under_30_milliseconds(self):
        def once():
            start = processor_seconds()
            self.fovea("--help")
            return processor_seconds() - start
        self.assertLess(min(once() for _ in range(15)), 0.030)  # the best: the command cannot be faster than it is

    def test_version(self):
        self.assertRegex(self.expect(0, "--version").stdout, r"^fovea \d+\.\d+\.\d+ \(")
        self.assertEqual(self.expect(0, "version").stdout, self.expect(0, "--version").stdout)

    def test_wrong_words_are_refused_with_a_suggestion(self):
        for words, sentence in [
            (["rnu"], "did you mean 'run'?"),
            (["x.toml"], "to run a config: fovea run x.toml"),
            (["--quiet"], "a command must come first"),
            (["--verson"], "Did you mean '--version'?"),
            ([""], "there is no command ''"),
            (["run", ""], "'run' was given an empty word"),
            (["run"], "takes CONFIG|EXPERIMENT|DOMAIN, but 0 were given"),
            (["run", "a", "b"], "takes CONFIG|EXPERIMENT|DOMAIN, but 2 were given"),
            (["doctor", ".", "b"], "but 2 were given"),
            (["run", "opinion.temperature", "--thread", "2"], "did you mean '--threads'?"),
            (["run", "opinion.temperature", "--outptu=x"], "did you mean '--output'?"),
            (["run", "opinion.temperature", "--threads"], "needs a value"),
            (["run", "opinion.temperature", "--force=yes"], "takes no value"),
            (["run", "opinion.temperature", "--threads", "two"], "must be a whole number >= 1"),
            (["run", "opinion.temperature", "--threads", "0"], "must be a whole number >= 1"),
            (["run", "opinion.temperature", "--seed", "-1"], "must be a whole number >= 0"),
            (["run", "opinion.temperature", "--checkpoint-every", "nan"], "must be a number >= 0"),
            (["run", "opinion.temperature", "--threads", "1", "--threads", "2"], "may be given once"),
            (["compare", "a", "b", "--rtol", "-1"], "must be a number >= 0"),
            (["list", "modifers"], "did you mean 'modifiers'?"),
            (["list", "normalisers"], "did you mean 'normalizers'?"),
            (["init", "opinion.temprature"], "did you mean 'opinion.temperature'?"),
            (["init", "opinion.simulate", "--model", "defuant"], "did you mean 'deffuant'?"),
            (["init", "opinion.fit", "--model", "deffuant"], "leave --model out"),
            (["help", "runn"], "did you mean 'run'?"),
            (["export", "x"], "say which with --csv, --netcdf FILE, --figures svg|pdf|png"),
        ]:
            with self.subTest(words):
                self.assertIn(sentence, self.expect(2, *words).stderr)

    def test_the_instruction_set_is_chosen_told_and_refused(self):
        doctor = json.loads(self.expect(0, "doctor", "--json").stdout)["kernels"]
        self.assertEqual((doctor["used"], doctor["available"][-1]), (doctor["available"][0], "portable"))
        for name in doctor["available"]:
            chosen = {"FOVEA_INSTRUCTIONS": name}
            told = json.loads(self.expect(0, "doctor", "--json", environment=chosen).stdout)["kernels"]
            self.assertEqual((told["used"], told["chosen"]), (name, True))
            self.assertGreater(told["peak_gflops"], 1)
            self.assertIn(f"\nkernels    {name}, chosen by FOVEA_INSTRUCTIONS (", self.expect(0, "doctor", environment=chosen).stdout)
        for wrong in ("avx3", "AVX2", "avx2 "):
            refused = self.expect(2, "doctor", environment={"FOVEA_INSTRUCTIONS": wrong})
            self.assertEqual(refused.stderr, f"fovea: FOVEA_INSTRUCTIONS is '{wrong}', but must be one of "
                                             f"{', '.join(doctor['available'])}; without it the first is taken.\n")
        if "avx512" not in doctor["available"]:
            self.assertIn("which this processor lacks; it has", self.expect(2, "list", environment={"FOVEA_INSTRUCTIONS": "avx512"}).stderr)

    def test_copies_of_one_run_that_a_launcher_starts_are_refused(self):
        step = {"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "4"}
        for words in (["run", "temperature"], ["sweep", "temperature", "--seeds", "2"], ["resume", "runs/x"]):
            self.assertIn("process 2 of 4 that were started together", self.expect(2, *words, environment=step).stderr)
        self.expect(0, "run", "opinion.temperature", *SMALL, environment={**step, "OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1"})
        self.expect(0, "list", environment=step)

    def test_wrong_configs(self):
        (self.folder / "bad.toml").write_text('experiment = "opinion.temperature"\n[model]\nstubbornnes = 0.1\n')
        for words, sentence in [
            (["check", "bad.toml"], "fovea: bad.toml:3:1: "),
            (["run", "bad.toml"], "did you mean 'model.stubbornness'?"),
            (["run", "opinion.temperature", "--set", "agents.count=-3"], "--set agents.count=-3: "),
            (["sweep", "opinion.temperature", "--grid", "agents.count=log:1"], "--grid agents.count=log:1"),
        ]:
            with self.subTest(words):
                self.assertIn(sentence, self.expect(3, *words).stderr)
        self.assertIn("did you mean 'opinion.temperature'?", self.expect(4, "run", "opinon.temperature").stderr)
        self.assertIn("missing.toml: cannot be read", self.expect(4, "run", "missing.toml").stderr)
        two = self.expect(3, "check", "opinion.temperature", "--set", "agents.count=-3", "--set", "x=1").stderr
        self.assertEqual([line[:7] for line in two.splitlines()], ["fovea: ", "fovea: "])
        self.assertFalse((self.folder / "runs").exists())

    def test_bad_input_data(self):
        (self.folder / "no.h5").write_text("this is no HDF5 file")
        for words in (["inspect", "no.h5"], ["inspect", "missing.h5"], ["export", "no.h5", "--csv"], ["status", "nowhere"],
                      ["compare", "no.h5", "no.h5"], ["resume", "."], ["verify", "."], ["report", "."]):
            with self.subTest(words):
                self.expect(4, *words)
        for words, wanted in ((["predict", "no.h5", "no.h5"], "model.h5"), (["compare", "no.h5", "no.h5"], "result.h5")):
            with self.subTest(words):
                self.assertEqual(self.expect(4, *words).stderr, "fovea: no.h5: is no HDF5 file; give a run directory or "
                                                                f"the {wanted} in it.\n")
        for words in (["verify", "nowhere"], ["resume", "nowhere"], ["status", "nowhere"], ["doctor", "nowhere"]):
            with self.subTest(words):
                self.assertEqual(self.expect(4, *words).stderr, "fovea: nowhere: there is no such folder.\n")

    def test_every_config_in_the_repository_is_valid(self):
        for path in sorted((SOURCE / "experiments").rglob("*.toml")):
            with self.subTest(path):
                if path.name not in ("polblogs.toml", "fit_senate.toml"):  # their data are given with --set
                    self.assertTrue(json.loads(self.expect(0, "check", path, "--json").stdout)["valid"])


class Runs(CommandTest):
    def test_a_run_prints_its_numbers_and_where_they_are_and_is_found_again(self):
        first = self.expect(0, "run", "opinion.temperature", *SMALL)
        directory = self.runs()[0]
        self.assertIn(f"result  runs/{directory.name}/result.h5", first.stdout)
        self.assertNotIn("\033", first.stdout + first.stderr)
        files = {path.name for path in directory.iterdir()}
        self.assertLessEqual({"config.toml", "resolved.toml", "manifest.json", "result.h5", "report.html", "figures", "log",
                              "DONE"}, files)
        again = self.expect(0, "run", "opinion.temperature", *SMALL)
        self.assertEqual(again.stdout, first.stdout)
        self.assertRegex(again.stderr, r"found the finished run runs/\S+; computed on \d{4}-.*; --force computes again")
        self.assertIn("found", self.expect(0, "resume", directory).stderr)
        forced = self.expect(0, "run", "opinion.temperature", *SMALL, "--force")
        self.assertNotIn("found", forced.stderr)
        # The resolved config is the same run.
        self.assertIn("found", self.expect(0, "run", directory / "resolved.toml").stderr)
        manifest = json.loads((directory / "manifest.json").read_text())
        self.assertEqual(manifest["state"], "finished")
        self.assertEqual(manifest["seed"], 1)
        self.assertTrue(manifest["command_line"].startswith("fovea run opinion.temperature --set agents.count=20"))
        self.assertIn("result.h5", [file["path"] for file in manifest["files"]["outputs"]])

    def test_a_random_seed_is_drawn_and_kept(self):
        self.expect(0, "run", "opinion.temperature", *SMALL, "--seed", "random")
        self.expect(0, "run", "opinion.temperature", *SMALL, "--seed", "random")
        seeds = {json.loads((run / "manifest.json").read_text())["seed"] for run in self.runs()}
        self.assertEqual(len(seeds), 2)
        for run in self.runs():
            seed = json.loads((run / "manifest.json").read_text())["seed"]
            self.assertIn(f"seed = {seed}\n", (run / "resolved.toml").read_text())

    def test_a_result_does_not_depend_on_the_instructions_with_which_sums_are_fused(self):
        found = {}
        for name in json.loads(self.expect(0, "doctor", "--json").stdout)["kernels"]["available"]:
            run = json.loads(self.expect(0, "run", "opinion.temperature", *SMALL, "--output", name, "--json",
                                         environment={"FOVEA_INSTRUCTIONS": name}).stdout)
            manifest = json.loads((self.folder / run["directory"] / "manifest.json").read_text())
            self.assertEqual(manifest["machine"]["kernels"], name)
            self.assertEqual(manifest["environment"]["FOVEA_INSTRUCTIONS"], name)
            found[name] = manifest["content_hash"]
        self.assertEqual(len({found[name] for name in found if name != "portable"}), 1, found)

    def test_every_reading_command_speaks_json(self):
        run = json.loads(self.expect(0, "sweep", "opinion.temperature", *SMALL, "--seeds", "2", "--json").stdout)
        self.assertEqual(run["state"], "finished")
        directory = self.folder / run["directory"]
        load = lambda *words: json.loads(self.expect(0, *words, "--json").stdout)
        self.assertEqual(load("status")[0]["finished_points"], 2)
        self.assertEqual(load("status", directory)["state"], "finished")
        self.assertEqual(load("inspect", directory)["dimensions"]["seed"], 2)
        self.assertTrue(load("compare", directory, directory / "result.h5")["identical"])
        self.assertTrue(load("verify", directory)["identical"])
        self.assertTrue(all(test["good"] for test in load("doctor")["self_tests"]))
        self.assertIn("opinion.temperature", [row["name"] for row in load("list")["experiments"]])
        self.assertEqual(load("check", "opinion.temperature", "--seeds", "7")["points"], 7)
        self.assertTrue(json.loads(self.expect(0, "resume", directory, "--json").stdout)["found"])

    def test_list_says_formula_parameters_and_source(self):
        tables = json.loads(self.expect(0, "list", "--json").stdout)
        self.assertEqual(set(tables), {"configs", "experiments", "findings", "formula", "measures", "methods", "models", "modifiers", "normalizers", "scores"})
        text = self.expect(0, "list").stdout
        for table in ("formula", "measures", "methods", "models", "modifiers", "normalizers", "scores"):
            names = [row["name"] for row in tables[table]]
            self.assertEqual(names, sorted(names))
            for row in tables[table]:
                self.assertTrue(row["meaning"] and row["source"], row)
                parameters = "; " + row["parameters"] if row["parameters"] else ""
                self.assertIn(f" {row['meaning']}{parameters} [{row['source']}]\n", text)
        self.assertIn({"name": "sparsemax", "meaning": "max(s_j - tau, 0), tau such that they sum to 1",
                       "parameters": "", "source": "Martins & Astudillo 2016"}, tables["normalizers"])

    def test_init_gives_a_config_that_is_the_default(self):
        (self.folder / "my.toml").write_text(self.expect(0, "init", "opinion.temperature").stdout)
        self.assertEqual(json.loads(self.expect(0, "check", "my.toml", "--json").stdout)["changed"], [])

    def test_init_for_a_model_has_its_keys_alone(self):
        for experiment, model, read, other in [("simulate", "deffuant", "convergence", "noise"),
                                               ("simulate", "transformer_sphere", "noise", "confidence"),
                                               ("simulate", "formula", "influence", "contacts"),
                                               ("simulate", "voter", "independence", "self_weight"),
                                               ("phase", "deffuant", "convergence", "burn_in"),
                                               ("phase", "q_voter", "independence", "temperature"),
                                               ("phase", "degroot", "burn_in", "influence")]:
            text = self.expect(0, "init", f"opinion.{experiment}", "--model", model).stdout
            self.assertIn(f"\n{read} = ", text)
            self.assertNotIn(f"\n{other} = ", text)
            (self.folder / "my.toml").write_text(text)
            self.expect(0, "check", "my.toml")

    def test_a_swept_number_of_formulas_goes_by_its_name(self):
        (self.folder / "my.toml").write_text(
            'experiment = "opinion.simulate"\nseed = 1\nagents.count = 20\nrun.steps = 3\n[model]\nname = "formula"\n'
            '[formula]\ninfluence = "d < width"\n[[formula.parameters]]\ntype = "number"\nname = "width"\n')
        text = self.expect(0, "sweep", "my.toml", "--grid", "formula.parameters.0.value=0.1,0.5").stdout
        self.assertIn("From width = 0.1 to 0.5 the number of camps ", text)
        self.assertIn("Camps at the end (width = 0.1): ", text)
        self.assertIn("The table of that name is formula.parameters.0.",
                      self.expect(3, "sweep", "my.toml", "--grid", "formula.parameters.width=0.1,0.5").stderr)

    def test_results_that_differ_have_exit_code_6(self):
        self.expect(0, "run", "opinion.temperature", *SMALL, "-o", "a")
        self.expect(0, "run", "opinion.temperature", *SMALL, "--set", "model.stubbornness=0.0500001", "-o", "b")
        a, b = next((self.folder / "a").iterdir()), next((self.folder / "b").iterdir())
        self.assertIn("variance", self.expect(6, "compare", a, b).stdout)
        self.expect(0, "compare", a, b, "--rtol", "1e-3", "--atol", "1e-3")
        done = (b / "DONE").read_text()
        (b / "result.h5").write_bytes((a / "result.h5").read_bytes())
        self.assertIn("different", self.expect(6, "verify", b).stdout)
        self.assertEqual((b / "DONE").read_text(), done)

    def test_export_and_report(self):
        self.expect(0, "run", "opinion.temperature", *SMALL)
        directory = self.runs()[0]
        table = self.expect(0, "export", directory, "--csv", "--variable", "variance").stdout.splitlines()
        self.assertEqual(table[0], "temperature,variance")
        self.assertEqual(len(table), 4)
        self.assertIn("did you mean 'variance'?", self.expect(2, "export", directory, "--csv", "--variable", "varianc").stderr)
        self.expect(0, "export", directory, "--csv", "-o", "tables")
        self.assertIn("scalars.csv", os.listdir(self.folder / "tables"))
        page = (directory / "report.html").read_bytes()
        (directory / "report.html").unlink()
        self.expect(0, "report", directory)
        self.assertGreater(len((directory / "report.html").read_bytes()), len(page) // 2)

    def test_quiet_says_nothing_and_verbose_says_more(self):
        grid = ["sweep", "opinion.temperature", *SMALL, "--seeds", "2"]
        self.assertEqual(self.expect(0, *grid, "--quiet").stderr, "")
        self.assertIn("finished seed = 1", self.expect(0, *grid, "--force", "-v").stderr)

    def test_same_bytes_for_any_threads_and_jobs(self):
        noise = ["--set", "agents.count=70", "--set", "model.noise=0.05", "--set", "average.burn_in=5", "--set",
                 "average.steps=20"]
        network = ["--set", "network.kind=watts_strogatz", "--set", "start.kind=normal"]
        for name, more in [("crowd", noise), ("network", noise + network)]:
            results, hashes = set(), set()
            words = ["opinion.temperature", *SMALL[2:], *more]
            for threads, jobs in [(1, None), (2, None), (3, None), (5, None), (2, 1), (3, 2), (5, 5)]:
                with self.subTest(name, threads=threads, jobs=jobs):
                    folder = f"{name}-{threads}-{jobs}"
                    given = ["-t", threads, "-o", folder, "--json"] + (["-j", jobs] if jobs else [])
                    sweep = json.loads(self.expect(0, "sweep", *words, "--seeds", "3", *given).stdout)
                    single = json.loads(self.expect(0, "run", *words, "-o", folder, *given[:2], "--json").stdout)
                    results.add((self.folder / sweep["result"]).read_bytes())
                    hashes.add((sweep["content_hash"], single["content_hash"]))
            self.assertEqual((len(results), len(hashes)), (1, 1), name)

    def test_more_threads_than_processors_are_not_much_slower(self):
        words = ["sweep", "opinion.temperature", "--set", "agents.count=300", *SMALL[2:], "--seeds", "4", "-j", "2", "-f"]
        def once(threads):
            start = processor_seconds()
            subprocess.run([FOVEA, *map(str, [*words, "-t", threads])], cwd=self.folder, env=self.without_choice(),
                           capture_output=True, check=True)
            return processor_seconds() - start
        # Threads that wait for each other at work, while others need their processor, made this ten times slower elsewhere.
        few, many = (min(once(threads) for _ in range(3)) for threads in (2, 10 * (os.cpu_count() or 1)))
        self.assertLess(many, 3 * few + 0.1)

    def without_choice(self):
        """The environment of somebody who has not said how threads wait."""
        return {name: value for name, value in os.environ.items() if name not in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")}

    def test_waiting_threads_give_their_processor_away_unless_told_otherwise(self):
        def environment(**given):
            words = ["run", "opinion.temperature", *SMALL, "--force", "--json"]
            done = subprocess.run([FOVEA, *words], cwd=self.folder, env={**self.without_choice(), **given},
                                  capture_output=True, check=True)
            return json.loads((self.folder / json.loads(done.stdout)["directory"] / "manifest.json").read_text())["environment"]
        self.assertEqual(environment().get("GOMP_SPINCOUNT"), "1000")
        self.assertEqual(environment(GOMP_SPINCOUNT="5").get("GOMP_SPINCOUNT"), "5")
        self.assertNotIn("GOMP_SPINCOUNT", environment(OMP_WAIT_POLICY="active"))

    def test_a_result_may_be_moved_and_read_from_anywhere(self):
        place = self.folder / "a b \u00fc"
        place.mkdir()
        (self.folder / "base.toml").write_text('experiment = "opinion.temperature"\n[agents]\ncount = 20\n[transition]\n'
                                               'find = false\n[rest]\nsteps_max = 30\n')
        (place / "my config.toml").write_text('extends = "../base.toml"\ntitle = "\u00dc"\n[temperature]\ncount = 3\n')
        run = json.loads(self.expect(0, "run", place / "my config.toml", "-o", place / "r n", "--json").stdout)
        directory = place / "moved here"
        (self.folder / run["directory"]).rename(directory)
        expected = (directory / "result.h5").read_bytes()
        self.folder, home = place, self.folder  # from another folder, by another path
        self.assertIn("identical", self.expect(0, "verify", "moved here").stdout)
        self.assertIn("found", self.expect(0, "resume", "./moved here/").stderr)
        self.assertNotIn("--force", self.expect(0, "resume", "moved here").stderr)  # which resume does not know
        again = json.loads(self.expect(0, "run", "moved here/resolved.toml", "-o", "again", "--json").stdout)
        self.assertEqual((self.folder / again["result"]).read_bytes(), expected)
        self.assertEqual(json.loads(self.expect(0, "status", "moved here", "--json").stdout)["state"], "finished")
        self.folder = home
        self.assertEqual((directory / "result.h5").read_bytes(), expected)

    def test_a_result_that_nobody_may_write_to_is_read_and_verified(self):
        self.expect(0, "run", "opinion.temperature", *SMALL)
        directory = self.runs()[0]
        for path in [self.folder, *self.folder.rglob("*")]:
            path.chmod(0o755 if path == self.folder else path.stat().st_mode & 0o555)
        self.addCleanup(lambda: [path.chmod(0o755) for path in [directory.parent, directory, directory / "figures"]])
        nobody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        if nobody and self.fovea("--version", **nobody).returncode != 0:
            self.skipTest("another user cannot run this build")
        self.assertIn("found", self.expect(0, "run", "opinion.temperature", *SMALL, **nobody).stderr)
        self.assertIn("identical", self.expect(0, "verify", directory, **nobody).stdout)
        for words in (["status"], ["inspect", directory], ["compare", directory, directory],
                      ["export", directory, "--csv", "--variable", "variance"]):
            self.expect(0, *words, **nobody)
        self.assertIn("lock", self.expect(7, "report", directory, **nobody).stderr)
        self.assertIn("runs", self.expect(7, "run", "opinion.temperature", *SMALL, "--seed", "9", **nobody).stderr)


class SweptGrids(CommandTest):
    def test_points_may_have_temperatures_and_agents_of_their_own(self):
        for grid in (["--grid", "temperature.low=log:0.01..0.1:2"], ["--grid", "agents.count=30,40"],
                     ["--grid", "temperature.high=0.2,0.3", "--grid", "model.stubbornness=0.02,0.05"]):
            small = SMALL[2:] if "agents.count=30,40" in grid else SMALL
            self.expect(0, "sweep", "opinion.temperature", *small, *grid, "-o", "swept")


class Terminal(CommandTest):
    def on_terminal(self, **environment):
        """What appears on a terminal as stderr."""
        try:
            controller, terminal = pty.openpty()
        except OSError as error:  # a bare chroot has none
            self.skipTest(f"no terminal to be had here: {error}")
        program = subprocess.Popen([FOVEA, "sweep", "opinion.temperature", *SMALL, "--seeds", "40", "-o", "terminal", "-f"],
                                   cwd=self.folder, stdout=subprocess.DEVNULL, stderr=terminal,
                                   env={**os.environ, "TERM": "xterm", **environment})
        os.close(terminal)
        shown = b""
        try:
            while piece := os.read(controller, 65536):
                shown += piece
        except OSError:  # the terminal's other end was closed
            pass
        os.close(controller)
        self.assertEqual(program.wait(), 0)
        return shown.decode()

    def test_the_bar_is_drawn_on_a_terminal_only_and_without_colours_if_told(self):
        self.assertIn("\033[36m", self.on_terminal(NO_COLOR=""))
        plain = self.on_terminal(NO_COLOR="1")
        self.assertNotIn("\033[3", plain)
        self.assertRegex(plain, r"of 40 points")


if __name__ == "__main__":
    unittest.main()

"""Ctrl-C, SIGKILL at any moment, a second process, a full or forbidden disk: nothing finished is ever lost."""
import collections
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from fovea_command import FOVEA, LONGEST, SMALL, CommandTest, processor_seconds

# About 20 checkpoints in each of 6 points: a quarter of a second in all.
SWEEP = ["sweep", "opinion.temperature", "--set", "agents.count=12", "--set", "temperature.count=2", "--set",
         "rest.steps_max=8", "--set", "transition.find=false", "--seeds", "3", "--grid", "model.stubbornness=0.05,0.1",
         "--checkpoint-every", "0"]
LONG = ["run", "opinion.temperature", "--set", "agents.count=1500", "--set", "temperature.count=6000"]  # never ends here
POINTS = 6
KILLS = 100
MOST_KILLS = 1000  # until each phase was met: when, depends on the machine's pace
PHASES = ("no point", "some points", "all points", "result or report")
SOON = 30  # seconds in which a signal ends it: a tenth of a second, where nothing else runs
DISK = "/var/tmp" if os.access("/var/tmp", os.W_OK) else None


class Interruption(CommandTest):
    def start(self, *words):
        return subprocess.Popen([FOVEA, *map(str, words)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True)

    def wait_for(self, pattern):
        end = time.monotonic() + LONGEST
        while not list(self.folder.glob(pattern)):
            self.assertLess(time.monotonic(), end, f"{pattern} did not appear")
            time.sleep(0.01)

    def stopped_by(self, number, words=LONG, place="runs/*", times=1):
        program = self.start(*words, "--checkpoint-every", "0.05")
        self.wait_for(f"{place}/checkpoint-*.seal")
        start = time.monotonic()
        for _ in range(times):
            program.send_signal(number)
        out, err = program.communicate(timeout=LONGEST)
        self.assertEqual(program.returncode, 128 + number, err)
        self.assertLess(time.monotonic() - start, SOON)
        self.assertEqual(out, "")
        self.assertIn("Continue with: fovea resume runs/", err.splitlines()[-1])
        return self.runs()[0]

    def test_ctrl_c_and_sigterm_leave_a_run_that_can_be_resumed(self):
        self.expect_a_resumable_run((signal.SIGINT, signal.SIGTERM), times=1)

    def test_a_lost_terminal_and_warnings_of_a_batch_system_leave_a_run_that_can_be_resumed_however_often_they_come(self):
        self.expect_a_resumable_run((signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGXCPU), times=3)

    def expect_a_resumable_run(self, numbers, times):
        for number in numbers:
            with self.subTest(number.name):
                directory = self.stopped_by(number, times=times)
                self.assertIn("interrupted", self.expect(0, "status").stdout)
                self.assertIn("restored checkpoint", self.restored_log(directory))
                shutil.rmtree(self.folder / "runs")

    def test_a_warning_and_then_sigterm_still_save_a_checkpoint(self):
        program = self.start(*LONG, "--checkpoint-every", "1000")
        self.wait_for("runs/*/manifest.json")
        program.send_signal(signal.SIGUSR1)
        program.send_signal(signal.SIGTERM)
        err = program.communicate(timeout=LONGEST)[1]
        self.assertIn(program.returncode, (128 + signal.SIGUSR1, 128 + signal.SIGTERM), err)  # both may be met at once
        self.assertTrue(list(self.folder.glob("runs/*/checkpoint-*.seal")))

    def test_the_soft_limit_of_processor_time_leaves_a_run_that_can_be_resumed(self):
        few_seconds = lambda: resource.setrlimit(resource.RLIMIT_CPU, (2, LONGEST))  # then a SIGXCPU every second
        done = self.expect(128 + signal.SIGXCPU, *LONG, "--checkpoint-every", "1000", preexec_fn=few_seconds)
        self.assertIn("Continue with: fovea resume runs/", done.stderr.splitlines()[-1])
        self.assertTrue(list(self.folder.glob("runs/*/checkpoint-*.seal")))

    def test_what_nohup_ignores_stays_ignored(self):
        ignore = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
        program = subprocess.Popen([FOVEA, *LONG], cwd=self.folder, stderr=subprocess.PIPE, text=True, preexec_fn=ignore)
        self.wait_for("runs/*/manifest.json")
        program.send_signal(signal.SIGHUP)
        time.sleep(0.2)
        self.assertIsNone(program.poll())
        program.send_signal(signal.SIGTERM)
        program.communicate(timeout=LONGEST)
        self.assertEqual(program.returncode, 128 + signal.SIGTERM)

    def test_a_hangup_that_takes_the_reader_of_stderr_along_still_saves_a_checkpoint(self):
        program = self.start(*LONG, "--checkpoint-every", "1000")
        self.wait_for("runs/*/manifest.json")
        program.stderr.close()
        program.send_signal(signal.SIGHUP)
        self.assertEqual(program.wait(timeout=LONGEST), 128 + signal.SIGHUP)
        program.stdout.close()
        self.assertTrue(list(self.folder.glob("runs/*/checkpoint-*.seal")))

    def test_ctrl_c_stops_all_jobs_of_a_sweep_and_it_goes_on_where_it_stood(self):
        directory = self.stopped_by(signal.SIGINT, ["sweep", *LONG[1:], "--seeds", "3", "-j", "3"], "runs/*/points/*")
        self.assertIn("interrupted, 0 of 3 points finished", self.expect(0, "status", directory).stdout)
        saved = next(directory.glob("points/*/checkpoint-*.seal")).parent
        self.assertIn("restored checkpoint", self.restored_log(directory, saved / "log"))

    def test_no_checkpoint_after_ctrl_c_ends_it_too(self):
        program = self.start(*LONG, "--checkpoint-every", "1000")
        self.wait_for("runs/*/manifest.json")
        program.send_signal(signal.SIGALRM)  # what nine seconds without a checkpoint after Ctrl-C amount to
        err = program.communicate(timeout=LONGEST)[1]
        self.assertEqual(program.returncode, 128 + signal.SIGINT)
        self.assertIn("ended, as no checkpoint came; 'fovea resume' takes a run up from its last one, or from its start", err)
        self.assertRegex(self.expect(0, "status").stdout, "killed")

    def test_a_second_ctrl_c_ends_at_once(self):
        program = self.start(*LONG)
        self.wait_for("runs/*/manifest.json")
        start = time.monotonic()
        for _ in range(2):
            program.send_signal(signal.SIGINT)
            time.sleep(0.002)
        program.communicate(timeout=LONGEST)
        self.assertEqual(program.returncode, 130)
        self.assertLess(time.monotonic() - start, SOON)
        self.assertRegex(self.expect(0, "status").stdout, "killed|interrupted")

    def restored_log(self, directory, log=None):
        program = self.start("resume", directory, "-j", "3")
        log = log or directory / "log"
        end = time.monotonic() + LONGEST
        while "restored" not in log.read_text() and time.monotonic() < end:
            time.sleep(0.01)
        program.kill()
        program.communicate()
        self.assertIn("killed", self.expect(0, "status").stdout)
        return log.read_text()

    def test_killed_a_hundred_times_a_sweep_ends_with_the_same_bytes_and_no_finished_point_lost(self):
        start = time.monotonic()
        self.expect(0, *SWEEP, "-o", "whole")
        whole = time.monotonic() - start
        expected = next(self.folder.glob("whole/*/result.h5")).read_bytes()
        dice = random.Random(1)  # seed 1: the moments are still random, as the machine's pace is
        phases = collections.Counter()
        with tempfile.TemporaryDirectory(prefix="fovea-test-", dir=DISK) as disk:
            for folder in (self.folder, pathlib.Path(disk)):  # in memory and on a disk
                self.folder = folder
                self.kill_again_and_again(KILLS // 2, whole, expected, dice, phases)
            while not all(phases[phase] for phase in PHASES) and phases.total() < MOST_KILLS:
                whole *= 1.2  # it may be slower now than when it was measured
                self.kill_again_and_again(KILLS // 5, whole, expected, dice, phases)
        print(dict(phases))
        for phase in PHASES:
            self.assertGreater(phases[phase], 0, f"no kill after: {phase}")

    def kill_again_and_again(self, kills, whole, expected, dice, phases):
        finished, killed = {}, 0
        while killed < kills:
            program = self.start(*SWEEP)
            self.wait_for_the_moment(program, whole, dice)
            program.kill()
            program.communicate()
            if program.returncode == -signal.SIGKILL:
                killed += 1
                phases[self.phase()] += 1
            now = {path: path.with_name("result.h5").read_bytes() for path in self.folder.glob("runs/*/points/*/DONE")}
            for path, content in finished.items():
                self.assertEqual(now.get(path), content, "a finished point was lost or changed")
            finished = now
            for manifest in self.folder.glob("runs/*/manifest.json"):
                json.loads(manifest.read_text())  # whole at any time
            if len(now) == POINTS and dice.random() < 0.3:
                self.expect_the_same_end(expected)
                finished = {}
        self.expect_the_same_end(expected)

    def wait_for_the_moment(self, program, whole, dice):
        """Mostly soon after the start, so that many kills fall into one sweep; sometimes anywhere in it; and often when a
        file has just appeared, because merging and drawing are over too soon to be met by chance."""
        if dice.random() < 0.6:
            return time.sleep(dice.uniform(0.005, 0.06 if dice.random() < 0.7 else whole))
        pattern, count = dice.choice([("result.h5", 1), ("report.html", 1), ("figures/*.svg", 2), ("points/*/DONE", POINTS),
                                      ("points/*/.*.tmp", 1), (".*.tmp", 1)])
        end = time.monotonic() + whole
        while program.poll() is None and time.monotonic() < end:
            if len(list(self.folder.glob(f"runs/*/{pattern}"))) >= count:
                return time.sleep(dice.choice([0, 0.002, 0.01]))

    def phase(self):
        """The last thing that the killed process had finished."""
        has = lambda pattern: bool(list(self.folder.glob(f"runs/*/{pattern}")))
        if has("DONE"):
            return "done"
        if has("result.h5"):
            return "result or report"
        points = len(list(self.folder.glob("runs/*/points/*/DONE")))
        return "all points" if points == POINTS else "some points" if points > 0 else "no point"

    def expect_the_same_end(self, expected):
        """Ends the sweep, or resumes it, and removes it."""
        directories = self.runs() if (self.folder / "runs").exists() else []
        if directories and (directories[0] / "manifest.json").exists():
            self.expect(0, "resume", directories[0])
        else:
            self.expect(0, *SWEEP)
        directory = self.runs()[0]
        self.assertEqual((directory / "result.h5").read_bytes(), expected)
        self.assertEqual(json.loads((directory / "manifest.json").read_text())["state"], "finished")
        for name in ("config.toml", "resolved.toml", "report.html", "log", "DONE"):
            self.assertTrue((directory / name).exists(), name)
        self.assertEqual([path for path in directory.rglob("*") if path.name.endswith(".tmp")], [])
        shutil.rmtree(self.folder / "runs")

    def test_a_second_process_is_told_who_computes(self):
        first = self.start(*LONG)
        self.wait_for("runs/*/manifest.json")
        second = self.expect(1, *LONG)
        self.assertIn(f"is being computed by process {first.pid}", second.stderr)
        self.assertIn("running", self.expect(0, "status").stdout)
        first.kill()
        first.communicate()

    def test_a_folder_that_cannot_be_written_to_has_exit_code_7(self):
        (self.folder / "file").write_text("")
        self.assertIn("file", self.expect(7, "run", "opinion.temperature", *SMALL, "-o", "file/runs").stderr)
        self.expect(7, "run", "opinion.temperature", *SMALL, "-o", "/proc/runs")

    def test_a_full_disk_has_exit_code_7_and_leaves_the_old_result(self):
        self.expect(0, "run", "opinion.temperature", *SMALL)
        directory = self.runs()[0]
        before = (directory / "result.h5").read_bytes()
        for limit in (0, 100, 4000, len(before) // 2, len(before) + 10):
            with self.subTest(limit):
                shrink = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
                done = self.expect(7, "run", "opinion.temperature", *SMALL, "--force", preexec_fn=shrink)
                self.assertIn(str(directory.name), done.stderr)
                self.assertEqual((directory / "result.h5").read_bytes(), before)
                self.assertIn("found", self.expect(0, "run", "opinion.temperature", *SMALL).stderr)

    def test_a_disk_that_fills_at_any_point_has_exit_code_7_and_leaves_the_old_result(self):
        disk = self.folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "fovea-test", disk], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("only root can mount a small disk")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        words = ["sweep", "opinion.temperature", *SMALL, "--seeds", "2", "-o", "disk"]
        whole = json.loads(self.expect(0, *words, "--json").stdout)
        directory = self.folder / whole["directory"]
        old = (directory / "result.h5").read_bytes()
        full = 0
        for free in [0, 4, 12, 30, 60, 90, 120, 160, 200, 300, 400, 500, 600]:
            with self.subTest(free_kb=free):
                (disk / "ballast").write_bytes(b"")
                room = shutil.disk_usage(disk).free - 1024 * free
                (disk / "ballast").write_bytes(bytes(max(0, room)))
                done = self.fovea(*words, "--force")
                self.assertIn(done.returncode, (0, 7), done.stderr)
                full += done.returncode == 7
                if done.returncode == 7:
                    self.assertRegex(done.stderr, rf"fovea: disk/{directory.name}/.*: No space left on device; free some space")
                self.assertEqual((directory / "result.h5").read_bytes(), old)
                self.assertEqual([path for path in disk.rglob("*.tmp")], [])
        self.assertGreater(full, 3)
        (disk / "ballast").unlink()
        self.expect(0, *words)
        self.assertEqual((directory / "result.h5").read_bytes(), old)
        self.assertTrue((directory / "DONE").exists())

    def test_a_full_stdout_is_noticed(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        with open("/dev/full", "w") as full:
            done = subprocess.run([FOVEA, "list"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 7)

    def test_failed_points_have_exit_code_5_and_are_listed_and_tried_again(self):
        ring = "".join(f"{node},{(node + 1) % 20}\n" for node in range(20))
        (self.folder / "edges.csv").write_text("source,target\n" + ring)
        (self.folder / "labels.csv").write_text("node,side\n" + "".join(f"{node},{node // 10}\n" for node in range(20)))
        # A side has 10 members: only the first of three points can be computed.
        words = ["sweep", "opinion.temperature", *SMALL[2:], "--set", "network.kind=edges", "--set",
                 "network.edges=edges.csv", "--set", "network.labels=labels.csv", "--set", "start.kind=labelled", "--grid",
                 "start.known_per_side=3,11,12"]
        for _ in range(2):
            done = self.expect(5, *words)
            self.assertEqual(done.stdout.count("FAILED  start.known_per_side = "), 2)
            self.assertIn("must be <= 10", done.stdout)
            self.assertIn("fovea: 2 of 3 points failed", done.stderr)
            self.assertIn("incomplete, 1 of 3 points finished, 2 failed", self.expect(0, "status").stdout)
        directory = self.runs()[0]
        self.assertIn("1 of 3 points were already finished", self.expect(5, "resume", directory).stderr)
        self.assertIn("incomplete", self.expect(0, "status", directory, "--json").stdout)
        self.expect(4, "verify", directory)  # it is not finished
        (self.folder / "edges.csv").write_text("source,target\n0,5\n" + ring)
        self.assertIn("has changed since this run began", self.expect(4, "resume", directory).stderr)


class Speed(CommandTest):
    def test_status_of_10000_points_takes_under_half_a_second(self):
        self.expect(0, "sweep", "opinion.temperature", *SMALL, "--seeds", "2")
        points = self.runs()[0] / "points"
        for number in range(10000):
            folder = points / f"{number:012x}"
            folder.mkdir()
            (folder / "DONE").touch()
        times = []
        for _ in range(5):
            start = processor_seconds()
            self.assertIn("10002 of 2 points", self.expect(0, "status").stdout)
            times.append(processor_seconds() - start)
        self.assertLess(min(times), 0.5)


if __name__ == "__main__":
    unittest.main()

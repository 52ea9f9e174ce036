"""Ctrl-C, SIGKILL at any moment, a second process, a full or forbidden disk: nothing finished is ever lost."""
import fcntl
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import time
import unittest

from fovea_command import FOVEA, SMALL, CommandTest

# About 20 checkpoints in each of 12 points: half a second in all.
SWEEP = ["sweep", "opinion.temperature", "--set", "agents.count=12", "--set", "temperature.count=2", "--set",
         "rest.steps_max=8", "--set", "transition.find=false", "--seeds", "6", "--grid", "model.stubbornness=0.05,0.1",
         "--checkpoint-every", "0"]
LONG = ["run", "opinion.temperature", "--set", "agents.count=1500", "--set", "temperature.count=60"]
KILLS = 100


class Interruption(CommandTest):
    def start(self, *words):
        return subprocess.Popen([FOVEA, *map(str, words)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True)

    def wait_for(self, pattern):
        end = time.monotonic() + 30
        while not list(self.folder.glob(pattern)):
            self.assertLess(time.monotonic(), end, f"{pattern} did not appear")
            time.sleep(0.01)

    def stopped_by(self, number):
        program = self.start(*LONG, "--checkpoint-every", "0.05")
        self.wait_for("runs/*/checkpoint-*.seal")
        start = time.monotonic()
        program.send_signal(number)
        out, err = program.communicate(timeout=60)
        self.assertEqual(program.returncode, 128 + number, err)
        self.assertLess(time.monotonic() - start, 10)
        self.assertEqual(out, "")
        self.assertIn("Go on with: fovea resume runs/", err.splitlines()[-1])
        return self.runs()[0]

    def test_ctrl_c_and_sigterm_leave_a_run_that_can_be_resumed(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            directory = self.stopped_by(number)
            self.assertIn("interrupted", self.expect(0, "status").stdout)
            self.assertIn("restored checkpoint", self.restored_log(directory))
            shutil.rmtree(self.folder / "runs")

    def restored_log(self, directory):
        program = self.start("resume", directory)
        log = directory / "log"
        end = time.monotonic() + 30
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
        finished = {}
        kills = rounds = 0
        while kills < KILLS:
            program = self.start(*SWEEP)
            # Mostly soon after the start, so that many kills fall into one sweep; sometimes anywhere in it.
            time.sleep(dice.uniform(0.005, 0.06 if dice.random() < 0.8 else whole))
            program.kill()
            program.communicate()
            kills += program.returncode == -signal.SIGKILL
            now = {path: path.with_name("result.h5").read_bytes() for path in self.folder.glob("runs/*/points/*/DONE")}
            for path, content in finished.items():
                self.assertEqual(now.get(path), content, "a finished point was lost or changed")
            finished = now
            if list(self.folder.glob("runs/*/DONE")):
                self.assertEqual(next(self.folder.glob("runs/*/result.h5")).read_bytes(), expected)
                shutil.rmtree(self.folder / "runs")
                finished = {}
                rounds += 1
        if not (self.folder / "runs").exists():
            self.expect(0, *SWEEP)
        for directory in self.runs():
            self.expect(0, "resume", directory)
        self.assertEqual(next(self.folder.glob("runs/*/result.h5")).read_bytes(), expected)
        print(f"{kills} kills, {rounds} sweeps ended in between")

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

    def test_a_full_stdout_is_noticed(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        with open("/dev/full", "w") as full:
            done = subprocess.run([FOVEA, "list"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 7)

    def test_failed_points_have_exit_code_5_and_are_listed_and_tried_again(self):
        (self.folder / "edges.csv").write_text("source,target\n0,1\n1,not a node,\n")
        words = ["sweep", "opinion.temperature", *SMALL[2:], "--set", "network.kind=edges", "--set",
                 "network.edges=edges.csv", "--seeds", "2"]
        for _ in range(2):
            done = self.expect(5, *words)
            self.assertRegex(done.stdout, r"FAILED  seed = 1: .*edges.csv.*\nFAILED  seed = 2: .*edges.csv")
            self.assertIn("fovea: 2 of 2 points failed", done.stderr)
            self.assertIn("incomplete, 0 of 2 points finished, 2 failed", self.expect(0, "status").stdout)
        directory = self.runs()[0]
        self.expect(5, "resume", directory)
        self.expect(4, "compare", directory, directory)  # there is no result
        ring = "".join(f"{node},{(node + 1) % 20}\n" for node in range(20))
        (self.folder / "edges.csv").write_text("source,target\n" + ring)
        self.assertIn("has changed since this run began", self.expect(4, "resume", directory).stderr)
        self.expect(0, *words)


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
            start = time.perf_counter()
            self.assertIn("10002 of 2 points", self.expect(0, "status").stdout)
            times.append(time.perf_counter() - start)
        self.assertLess(min(times), 0.5)


if __name__ == "__main__":
    unittest.main()

"""Several processes on one sweep, with locks and without, killed at any moment: the bytes of one process."""
import errno
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

from fovea_command import FOVEA, LONGEST, CommandTest

# About 20 checkpoints in each of 6 points: a quarter of a second in all.
SWEEP = ["sweep", "opinion.temperature", "--set", "agents.count=12", "--set", "temperature.count=2", "--set",
         "rest.steps_max=8", "--set", "transition.find=false", "--seeds", "3", "--grid", "model.stubbornness=0.05,0.1",
         "--checkpoint-every", "0"]
POINTS = 6
ENOTSUPP = 524  # of the kernel: the C library has no name for it
KILLS = int(os.environ.get("FOVEA_SHARD_KILLS", 12))
IN_A_NAMESPACE = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"]


class Shards(CommandTest):
    @classmethod
    def setUpClass(cls):
        one = cls("nothing")
        one.setUp()
        cls.addClassCleanup(one.doCleanups)
        one.expect(0, *SWEEP)
        cls.whole = one.sha()

    def nothing(self):
        """For setUpClass(): a test needs a method."""

    def sha(self):
        return hashlib.sha256((self.runs()[0] / "result.h5").read_bytes()).hexdigest()

    def start(self, *words, before=(), environment=None):
        return subprocess.Popen([*before, FOVEA, *SWEEP, "-j", "1", "-t", "1", *words], cwd=self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **(environment or {})})

    def ended(self, programs):
        ends = [program.communicate(timeout=LONGEST) for program in programs]
        for program, (out, err) in zip(programs, ends):
            self.assertEqual(program.returncode, 0, out + err)
        return ends

    def expect_the_whole(self):
        self.assertEqual(self.sha(), self.whole)
        directory = self.runs()[0]
        self.assertEqual([path for path in directory.rglob("*") if path.name.endswith(".tmp")], [])
        self.assertEqual(json.loads((directory / "manifest.json").read_text())["state"], "finished")
        self.assertIn("finished, 6 of 6 points", self.expect(0, "status", directory).stdout)
        shutil.rmtree(self.folder / "runs")

    def test_shards_at_the_same_time_give_the_bytes_of_one_process(self):
        for count in (1, 2, 5):
            with self.subTest(count):
                self.ended([self.start("--shard", f"{index}/{count}") for index in range(1, count + 1)])
                shown = self.expect(0, "status", self.runs()[0])
                self.assertEqual(shown.stdout.count(f" of {count} on "), count)
                shards = json.loads(self.expect(0, "status", self.runs()[0], "--json").stdout)["shards"]
                self.assertEqual(sum(shard["finished"] for shard in shards), POINTS)
                self.expect_the_whole()

    def test_points_in_any_order_give_the_bytes_of_one_process(self):
        listed = json.loads(self.expect(0, *SWEEP, "--list-points", "--json").stdout)
        self.assertEqual([each["point"] for each in listed], list(range(POINTS)))
        lines = self.expect(0, *SWEEP, "--list-points").stdout.splitlines()
        self.assertEqual(lines[-1], "5\tmodel.stubbornness = 0.1, seed = 3")
        self.assertFalse((self.folder / "runs").exists())
        numbers = list(range(POINTS))
        random.Random(1).shuffle(numbers)
        for number in numbers[:-1]:
            said = json.loads(self.ended([self.start("--points", str(number), "--json")])[0][0])
            self.assertFalse({"result", "report"} & said.keys(), "there is none yet")
        directory = self.runs()[0]
        self.assertIn("interrupted, 5 of 6 points", self.expect(0, "status", directory).stdout)
        missing = self.expect(5, "merge", directory)
        self.assertIn(f"missing {numbers[-1]}: model.stubbornness = ", missing.stderr)
        self.assertIn("fovea: 1 of 6 points are missing, so nothing was merged", missing.stderr)
        self.ended([self.start("--points", str(numbers[-1]))])
        self.expect(0, "merge", directory)
        self.expect_the_whole()

    def test_a_second_process_joins_in_and_both_have_the_result(self):
        ends = self.ended([self.start() for _ in range(2)])
        for out, _ in ends:
            self.assertIn("report  runs/", out)
        self.expect_the_whole()

    def without_locks(self, error):
        return {"LD_PRELOAD": os.environ["FOVEA_REFUSED_FLOCK"], "REFUSED_FLOCK": str(error)}

    def test_where_the_disk_refuses_locks_each_shard_does_its_own_points(self):
        for error in (errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP, ENOTSUPP):
            with self.subTest(error):
                alone = self.start("--shard", "1/2", environment=self.without_locks(error))
                _, err = self.ended([alone])[0]
                self.assertEqual(err.count("this disk refuses locks"), 1, err)
                self.assertEqual(len(list(self.folder.glob("runs/*/points/*/DONE"))), POINTS // 2)
                self.ended([self.start("--shard", "2/2", environment=self.without_locks(error))])
                self.expect_the_whole()

    def test_without_locks_everyone_may_compute_everything_at_once(self):
        self.ended([self.start(environment=self.without_locks(errno.ENOLCK)) for _ in range(3)])
        self.expect_the_whole()

    def test_two_writers_with_one_process_number_on_one_host(self):
        if subprocess.run([*IN_A_NAMESPACE, "true"], capture_output=True).returncode:
            self.skipTest("namespaces of processes are not permitted here")
        self.ended([self.start(before=IN_A_NAMESPACE, environment=self.without_locks(errno.ENOSYS)) for _ in range(2)])
        self.expect_the_whole()

    def test_shards_killed_at_random_lose_nothing_that_was_finished(self):
        dice = random.Random(1)  # seed 1: the moments are still random, as the machine's pace is
        killed, finished = 0, {}
        while killed < KILLS:
            programs = [self.start("--shard", f"{index}/3") for index in (1, 2, 3)]
            time.sleep(dice.uniform(0.01, 0.3))
            for program in dice.sample(programs, dice.choice((1, 2, 3))):
                program.kill()
            for program in programs:
                out, err = program.communicate(timeout=LONGEST)
                self.assertIn(program.returncode, (0, -signal.SIGKILL), out + err)
                killed += program.returncode == -signal.SIGKILL
            now = {path: path.with_name("result.h5").read_bytes() for path in self.folder.glob("runs/*/points/*/DONE")}
            for path, content in finished.items():
                self.assertEqual(now.get(path), content, "a finished point was lost or changed")
            finished = now
            if len(now) == POINTS:
                self.ended([self.start("--shard", "2/3")])
                self.expect_the_whole()
                finished = {}
        self.ended([self.start("--shard", "1/3")])
        self.expect_the_whole()


if __name__ == "__main__":
    unittest.main()

"""A training that is killed again and again, at any moment, ends with the same bytes."""
import json
import random
import shutil
import signal
import subprocess
import time
import unittest

from fovea_command import FOVEA, CommandTest

# Five encodings are trained one after the other: some hundred steps, each of which may be the last.
TRAINING = ["run", "mechanism.position", "--set", "training_examples=1024", "--set", "validation_examples=128",
            "--set", "test_examples=256", "--set", "epochs=4", "--set", "permuted_sets=2", "--checkpoint-every", "0"]
KILLS = 20
MOST_RUNS = 400   # of which KILLS must be met before they end, and go on until LEAST_RESTORED are reached
LEAST_RESTORED = 10   # kills that hit the middle of a training


class TrainingInterruption(CommandTest):
    def test_killed_twenty_times_a_training_ends_with_the_same_bytes(self):
        start = time.monotonic()
        self.train_to_the_end("whole")
        whole = time.monotonic() - start
        expected = next(self.folder.glob("whole/*/result.h5")).read_bytes()
        dice, killed, restored = random.Random(1), 0, 0   # seed 1: the moments are random still, as the machine's pace is
        for _ in range(MOST_RUNS):
            if killed >= KILLS and restored + self.restored() >= LEAST_RESTORED:
                break
            program = subprocess.Popen([FOVEA, *TRAINING], cwd=self.folder, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(dice.uniform(0.05, 0.4) * whole)
            program.kill()
            program.communicate()
            killed += program.returncode == -signal.SIGKILL
            if list(self.folder.glob("runs/*/DONE")):   # it ended meanwhile: compared, and begun anew
                restored += self.compare(expected)
                shutil.rmtree(self.folder / "runs")
            elif not list(self.folder.glob("runs/*/*.seal")):
                whole *= 1.1   # nothing was kept yet: the machine is slower than when it was measured
        self.assertGreaterEqual(killed, KILLS)
        self.train_to_the_end("runs")
        restored += self.compare(expected)
        print(f"{killed} kills, {restored} of them in the middle of a training")
        self.assertGreaterEqual(restored, LEAST_RESTORED)

    def train_to_the_end(self, place):
        done = self.fovea(*TRAINING, "-o", place)
        self.assertIn(done.returncode, (0, 6), done.stderr)   # 6: so little training does not reach what the statement says

    def compare(self, expected):
        """That it ended with the expected bytes. How often it went on from a checkpoint."""
        directory = self.runs()[0]
        self.assertEqual((directory / "result.h5").read_bytes(), expected)
        self.assertEqual(json.loads((directory / "manifest.json").read_text())["state"], "finished")
        return self.restored()

    def restored(self):
        """How often the run so far went on from a checkpoint."""
        return sum(log.read_text().count("restored checkpoint") for log in self.folder.glob("runs/*/log"))


if __name__ == "__main__":
    unittest.main()

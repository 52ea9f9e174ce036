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
MOST_RUNS = 400   # of which KILLS must be met before they end
LEAST_RESTORED = 10   # kills that hit the middle of a training


class TrainingInterruption(CommandTest):
    def test_killed_twenty_times_a_training_ends_with_the_same_bytes(self):
        start = time.monotonic()
        self.train_to_the_end("whole")
        whole = time.monotonic() - start
        expected = next(self.folder.glob("whole/*/result.h5")).read_bytes()
        dice, killed, restored = random.Random(1), 0, 0   # seed 1: the moments are random still, as the machine's pace is
        for _ in range(MOST_RUNS):
            if killed == KILLS:
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
        self.assertEqual(killed, KILLS)
        self.train_to_the_end("runs")
        restored += self.compare(expected)
        print(f"{killed} kills, {restored} of them in the middle of a training")
        self.assertGreaterEqual(restored, LEAST_RESTORED)

    def train_to_the_end(self, place):
        done = self.fovea(*TRAINING, "-o", place)
        self.assertIn(done.returncode, (0, 6), done.stderr)   # 6: so little training does not reach what the statement says

    def compare(self, expected):
        """How often the run went on from a checkpoint."""
        directory = self.runs()[0]
        self.assertEqual((directory / "result.h5").read_bytes(), expected)
        self.assertEqual(json.loads((directory / "manifest.json").read_text())["state"], "finished")
        return (directory / "log").read_text().count("restored checkpoint")


if __name__ == "__main__":
    unittest.main()

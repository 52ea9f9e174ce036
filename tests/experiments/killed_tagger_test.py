"""A training of taggers that is killed at random moments and resumed ends in the same bytes."""
import random
import subprocess
import time
import unittest

from fovea_command import FOVEA, SOURCE, CommandTest

KILLS = 8
SETTINGS = ["data.jets=1500", "training.epochs=4", "ensemble.members=2", "explain.cases=20"]


class KilledTagger(CommandTest):
    def start(self, *words):
        return subprocess.Popen([FOVEA, *map(str, words), "-q", "--checkpoint-every", "0"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE)

    def train(self, place):
        settings = [word for one in SETTINGS for word in ("--set", one)]
        return self.start("run", SOURCE / "experiments/particle/toptag.toml", "-o", place, "--threads", 1, *settings)

    def files(self, place):
        return {name: next(self.folder.glob(f"{place}/*/{name}")).read_bytes() for name in ("model.h5", "result.h5")}

    def test_killed_eight_times_a_tagger_ends_with_the_same_model_and_result(self):
        begin = time.monotonic()
        said = self.train("whole").communicate()[1]
        whole = time.monotonic() - begin
        self.assertTrue(list(self.folder.glob("whole/*/model.h5")), said)
        dice, kills = random.Random(17), 0
        program = self.train("killed")
        while True:
            time.sleep(dice.uniform(0.03, 0.3) * whole)
            program.kill()
            program.communicate()
            if program.returncode >= 0:   # it ended before
                break
            kills += 1
            runs = list(self.folder.glob("killed/*/"))
            program = self.start("resume", runs[0], "--threads", dice.choice((1, 2, 3))) if runs else self.train("killed")
            if kills == KILLS:
                said = program.communicate()[1]
                break
        self.assertGreaterEqual(kills, 3)
        self.assertIn(program.returncode, (0, 6), said)
        self.assertEqual(self.files("killed"), self.files("whole"))
        self.assertGreater(sum(log.read_text().count("restored checkpoint") for log in self.folder.glob("killed/*/log")), 0)


if __name__ == "__main__":
    unittest.main()

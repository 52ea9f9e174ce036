"""fovea predict with a model of the ehr domain: the same risks of a stay in whatever file, and what is said of them."""
import csv
import json
import random
import tarfile
import unittest

from fovea_command import SOURCE, CommandTest

QUICK = ["split.folds=2", "training.epochs=1", "ensemble.members=2", "trees.rounds=5", "half_lives.level=0", "contributions.stays=0"]
VARIABLES = ("HR", "Temp", "GCS", "BUN")


def made_stays():
    """id -> rows (minutes, variable, value) as in a record of the challenge: five statics at minute 0, then a series."""
    drawn = random.Random(5)
    stays = {}
    for stay in range(100, 160):
        statics = [(0, name, drawn.randint(1, 4)) for name in ("Age", "Gender", "Height", "ICUType", "Weight")]
        series = sorted((drawn.randint(1, 2880), drawn.choice(VARIABLES), drawn.randint(30, 99)) for _ in range(drawn.randint(0, 40)))
        stays[str(stay)] = statics + series
    return stays


class Predict(CommandTest):
    def setUp(self):
        super().setUp()
        self.stays = made_stays()
        died = {stay: int(stay) % 2 for stay in self.stays}   # the age tells it, but for a few
        for stay, events in self.stays.items():
            events[0] = (0, "Age", 4 if died[stay] and int(stay) % 7 else 1)
        rows = [f"{stay},{minute},{name},{value}\n" for stay, events in self.stays.items() for minute, name, value in events]
        self.write("events.csv", rows)
        random.Random(6).shuffle(rows)
        self.write("shuffled.csv", rows)
        (self.folder / "outcomes.csv").write_text("stay_id,died\n" + "".join(f"{stay},{end}\n" for stay, end in died.items()))
        (self.folder / "set").mkdir()
        for stay, events in self.stays.items():
            (self.folder / "set" / f"{stay}.txt").write_text(
                f"Time,Parameter,Value\n00:00,RecordID,{stay}\n" + "".join(f"{m // 60:02}:{m % 60:02},{n},{v}\n" for m, n, v in events))
        with tarfile.open(self.folder / "set.tar.gz", "w:gz") as archive:
            archive.add(self.folder / "set", "set")
        self.expect(0, "run", SOURCE / "experiments/ehr/mortality.toml", "-q", "--set", 'data.events=["events.csv"]', "--set",
                    'data.outcomes=["outcomes.csv"]', *[word for key in QUICK for word in ("--set", key)])
        self.model = f"runs/{self.runs()[0].name}"

    def write(self, name, rows):
        (self.folder / name).write_text("stay_id,time_minutes,variable,value\n" + "".join(rows))

    def risks(self, *words):
        self.expect(0, "predict", self.model, *words, "-q", "-o", "risks.csv")
        lines = (self.folder / "risks.csv").read_text().splitlines()
        self.assertEqual(lines[0], "stay_id,probability,spread,low,high,decision")
        return dict(line.split(",", 1) for line in lines[1:])

    def test_a_stay_has_one_risk_and_the_summary_says_what_was_refitted(self):
        wanted = self.risks("events.csv")
        self.assertEqual(list(wanted), list(self.stays))
        self.assertGreater(len(set(wanted.values())), 30)
        for words in (("shuffled.csv",), ("set",), ("set.tar.gz",), ("events.csv", "--batch", "1"), ("set", "--batch", "100"),
                      *(("events.csv", "--threads", threads) for threads in (1, 2, 3, 5))):
            with self.subTest(words):
                self.assertEqual(self.risks(*words), wanted)
        for stay in ("100", "131"):
            self.write("alone.csv", [f"{stay},{minute},{name},{value}\n" for minute, name, value in self.stays[stay]])
            self.assertEqual(self.risks("alone.csv"), {stay: wanted[stay]})
        self.expect(0, "predict", self.model, "set", "-o", "risks.csv", "--explain", "why.csv")
        self.assertTrue((self.folder / "why.csv").read_text().startswith("stay_id,variable,hour,contribution\n100,(base),,"))
        self.expect(0, "predict", self.model, "set", "-o", "risks.csv", "--at", "12")
        with open(self.folder / "risks.csv", newline="") as file:
            self.assertEqual(next(csv.reader(file))[:3], ["stay_id", "time_hours", "probability"])

        said = self.expect(0, "predict", self.model, "set", "--json", "-o", "risks.csv", "--recalibrate", "events.csv",
                           "--recalibrate-outcomes", "outcomes.csv")
        found = json.loads(said.stdout)["recalibration"]
        self.assertEqual(set(found), {"shift", "error", "ones", "zeros"})
        self.assertEqual((found["ones"], found["zeros"]), (30, 30))
        self.assertGreater(found["error"], 0)
        self.assertIn("from 30 of 60 known outcomes", said.stderr)
        plain = json.loads(self.expect(0, "predict", self.model, "set", "--json", "-o", "risks.csv").stdout)
        self.assertNotIn("recalibration", plain)


if __name__ == "__main__":
    unittest.main()

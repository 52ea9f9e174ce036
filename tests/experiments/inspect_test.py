"""fovea inspect: data files of a domain beside results, as text and as JSON; what cannot be read ends in one line."""
import json
import unittest

from fovea_command import SMALL, CommandTest

EVENTS = "stay_id,time_hours,variable,value\n" + "".join(f"{s},,age,{30 + s}\n{s},0,hr,80\n{s},2,hr,{60 + s}\n" for s in range(40))
OUTCOMES = "stay_id,died\n" + "".join(f"{s},{s % 2}\n" for s in range(40))


class Inspect(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "events.csv").write_text(EVENTS)
        (self.folder / "outcomes.csv").write_text(OUTCOMES)

    def test_text_and_json_say_the_same(self):
        text = self.expect(0, "inspect", "events.csv", "--outcomes", "outcomes.csv").stdout
        self.assertIn("events.csv: 40 stays, 80 events of 1 variable, 40 statics of 1 further variable; 120 rows read.", text)
        self.assertIn("died: no in 20 stays (50.0 %), yes in 20 stays (50.0 %).", text)
        self.assertRegex(text, r"(?m)^  hr +40 +80 +2 +- +80 +- ")
        facts = json.loads(self.expect(0, "inspect", "events.csv", "--outcomes", "outcomes.csv", "--json").stdout)
        self.assertEqual((facts["stays"], facts["events"], facts["with_outcome"]), (40, 80, 20))
        heart = next(one for one in facts["variables"] if one["name"] == "hr")
        self.assertEqual((heart["median_gap_hours"], heart["values"]["median"], heart["values"]["p5"]), (2, 80, None))

    def test_what_is_wrong_ends_in_one_line(self):
        for name, text, sentence in [("text.csv", EVENTS + "1,2,hr,high\n", "text.csv:row 122, column 'value': 'high' is not a number"),
                                     ("a.parquet", "PAR1 and so on", "Type: scripts/meds-to-long a.parquet events.csv.gz")]:
            with self.subTest(name):
                (self.folder / name).write_text(text)
                said = self.expect(4, "inspect", name).stderr
                self.assertIn(sentence, said)
                self.assertEqual(said.count("\n"), 1)
        (self.folder / "a.zarr").mkdir()
        (self.folder / "a.zarr" / "zarr.json").write_text("{}")
        self.assertIn("is a Zarr store", self.expect(4, "inspect", "a.zarr").stderr)
        (self.folder / "two.csv").write_text(OUTCOMES + "7,1\n")
        self.assertIn("two.csv:row 42, column 'stay_id': stay '7' has two outcomes, the first in row 9",
                      self.expect(4, "inspect", "events.csv", "--outcomes", "two.csv").stderr)
        (self.folder / "labs.csv").write_text("hadm_id,time_hours,variable,value\n1,0,hr,80\n,1,hr,90\n")
        self.assertIn("To leave out such rows: --bad 'leave out'", self.expect(4, "inspect", "labs.csv").stderr)
        self.assertIn("1 row read", self.expect(0, "inspect", "labs.csv", "--bad", "leave out").stdout)
        self.assertIn("must be seconds, minutes, hours or days", self.expect(2, "inspect", "events.csv", "--time-unit", "weeks").stderr)

    def test_any_file_is_sent_to_the_commands_that_take_it(self):
        files = {"ties.csv": "from,to,delay\na,b,3\nb,c,4\nc,a,9\n", "own.txt": "age;sex;y\n50;f;1\n60;m;0\n", "play.csv": "scene,s1,y\n1,2,3\n2,4,4\n",
                 "scenes.csv": "scene,s1,s2\na,S1.tif,S2.tif\n", "two words.csv": "x,y\n1,2\n2,3\n", "one.csv": "x\n1\n2\n", "a.dat": "\1\0\2", "a.png": "\x89PNG"}
        for name, text in files.items():
            (self.folder / name).write_text(text, encoding="latin-1")
        ask = "To predict a column from the others: fovea run study.table --set "
        for name, part, other in (("ties.csv", "If it is a network: fovea measure --edges ties.csv", "survey"), ("own.txt", ask + "data.file=own.txt", "If it is"),
                                  ("play.csv", ask, "If it is"), ("two words.csv", ask + "'data.file=two words.csv'", "If it is"),
                                  ("one.csv", "1 column", ask)):
            with self.subTest(name):
                text = self.expect(0, "inspect", name).stdout
                self.assertIn(part, text)
                self.assertNotIn(other, text)
        for words, part in ((["inspect", "a.dat"], "a.dat: is no result, no model and no known file of data; which are known: fovea help inspect"),
                            (["inspect", "a.png"], "a.png: has no header of a PNG picture; it was cut or is damaged, get it again."),
                            (["lags", "scenes.csv"], "If it is a list of scenes: fovea run fusion.flood --set data.scenes=scenes.csv"),
                            (["lags", "events.csv"], ". What it holds: fovea inspect events.csv")):
            with self.subTest(words):
                self.assertIn(part, self.expect(4, *words).stderr)
        self.assertNotIn("fovea inspect", self.expect(4, "run", "ehr.mortality", "--set", "data.events=events.csv", "--set", "data.stay=x").stderr)
        self.assertIn("own.txt: is no config. What it holds: fovea inspect own.txt", self.expect(3, "run", "own.txt").stderr)

    def test_options_of_data_and_several_files_are_not_for_results(self):
        self.expect(0, "run", "opinion.temperature", *SMALL)
        directory = f"runs/{self.runs()[0].name}"
        self.assertIn("dimensions:", self.expect(0, "inspect", directory).stdout)
        self.assertIn(f"'--outcomes' is for data files, but {directory} is none",
                      self.expect(2, "inspect", directory, "--outcomes", "outcomes.csv").stderr)
        self.assertIn("give one result or model", self.expect(2, "inspect", directory, directory).stderr)


if __name__ == "__main__":
    unittest.main()

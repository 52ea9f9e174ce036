"""scripts/meds-to-long: a MEDS folder as the long CSV that fovea reads. A stand-in for duckdb gives the rows of each "Parquet"
file from JSON, so that nothing of PyPI is needed; with the real one the shared sample is turned, too."""
import csv
import gzip
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "experiments"))
from fovea_command import SOURCE, shared_data  # noqa: E402

SAMPLE = shared_data("ehr/meds_sample")
STAND_IN = """
import datetime, json
class Cursor:
    def execute(self, query, values):
        data = json.load(open(values[0]))
        names = query.split("SELECT ")[1].split(" FROM")[0].split(", ")
        names = data["columns"] if names == ["*"] else names
        self.description = [(name, "type") for name in names]
        def cell(name, value):
            return datetime.datetime.fromisoformat(value) if isinstance(value, str) and name.endswith("time") else value
        self.rows = [tuple(cell(n, row[data["columns"].index(n)]) for n in names) for row in data["rows"]]
    def fetchmany(self, most):
        taken, self.rows = self.rows[:2], self.rows[2:]
        return taken
def connect(config):
    return Cursor()
"""
WRITER = {"__init__.py": """
int64 = bool_ = float64 = lambda: None
timestamp = lambda unit: None
schema = lambda fields: [name for name, _ in fields]
table = lambda columns, schema: (schema, columns)
""", "parquet.py": """
def write_table(table, path):
    open(path, "w").write("\\n".join(",".join(map(str, row)) for row in [table[0], *zip(*table[1])]))
"""}


class MedsToLong(unittest.TestCase):
    def setUp(self):
        self.keeper = tempfile.TemporaryDirectory()
        self.addCleanup(self.keeper.cleanup)
        self.folder = pathlib.Path(self.keeper.name)
        (self.folder / "modules").mkdir()
        (self.folder / "modules" / "duckdb.py").write_text(STAND_IN)

    def parquet(self, name, columns, rows):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"columns": columns, "rows": rows}))

    def sample(self):
        columns = ["subject_id", "time", "code", "numeric_value", "text_value"]
        self.parquet("meds/data/train/0.parquet", columns, [[1, None, "Age", 54.0, None], [1, "2000-01-01 00:07:00", "HR", 73.0, None],
                                                            [1, "2000-01-03 00:00:01", "HR", 99.0, None]])
        self.parquet("meds/data/held_out/0.parquet", columns, [[2, "2000-01-01 10:00:00", "DRUG//x", None, "50 mg"]])
        self.parquet("labels.parquet", ["subject_id", "prediction_time", "boolean_value"],
                     [[1, "2000-01-03 00:00:00", True], [2, "2000-01-03 00:00:00", False]])
        self.parquet("meds/metadata/subject_splits.parquet", ["subject_id", "split"], [[1, "train"], [2, "held_out"]])

    def turn(self, code, *words, modules="modules"):
        done = subprocess.run([sys.executable, "-B", SOURCE / "scripts" / "meds-to-long", *map(str, words)], capture_output=True, text=True,
                              cwd=self.folder, env={**os.environ, "PYTHONPATH": str(self.folder / modules)}, timeout=300)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def rows(self, name):
        with (gzip.open if name.endswith(".gz") else open)(self.folder / name, "rt", newline="") as file:
            return list(csv.reader(file))

    def test_risks_go_back_as_fovea_predict_writes_them(self):
        self.sample()
        (self.folder / "modules" / "pyarrow").mkdir()
        for name, text in WRITER.items():
            (self.folder / "modules" / "pyarrow" / name).write_text(text)
        for column in ("id", "stay_id"):
            (self.folder / "risks.csv").write_text(f"{column},probability,spread,low,high,decision\n2,.25,.1,.2,.3,0\n1,.4,.1,.2,.6,1\n")
            self.turn(0, "--risks", "risks.csv", "--labels", "labels.parquet", "out.parquet")
            head, *rows = self.rows("out.parquet")
            self.assertEqual(head[0], "subject_id")
            self.assertEqual([row[:1] + row[2:] for row in rows], [["2", "False", "False", "0.25"], ["1", "True", "True", "0.4"]])
        (self.folder / "risks.csv").write_text("name,probability\n2,.25\n")
        said = self.turn(4, "--risks", "risks.csv", "--labels", "labels.parquet", "out.parquet").stderr
        self.assertIn("risks.csv:row 2: is no risk (stay_id,probability) of a MEDS subject.", said)

    def test_events_outcomes_and_folds(self):
        self.sample()
        said = self.turn(0, "meds", "out.csv.gz", "--labels", "labels.parquet", "--outcomes", "o.csv", "--folds", "f.csv").stdout
        self.assertEqual(said, "out.csv.gz  3 rows\no.csv  2 rows\nf.csv  2 rows\n")
        self.assertEqual(self.rows("out.csv.gz"), [["subject_id", "time", "code", "numeric_value"], ["2", "2000-01-01 10:00:00", "DRUG//x", ""],
                                                   ["1", "", "Age", "54.0"], ["1", "2000-01-01 00:07:00", "HR", "73.0"]])
        self.assertEqual(self.rows("o.csv")[1:], [["1", "2000-01-03 00:00:00", "1"], ["2", "2000-01-03 00:00:00", "0"]])
        self.assertEqual(self.rows("f.csv")[1:], [["1", "0"], ["2", "2"]])
        self.assertEqual(self.turn(0, "meds", "all.csv").stdout, "all.csv  4 rows\n")
        if "FOVEA" in os.environ:
            read = subprocess.run([os.environ["FOVEA"], "inspect", "out.csv.gz", "--outcomes", "o.csv", "--folds", "f.csv", "--json"],
                                  cwd=self.folder, capture_output=True, text=True, timeout=300)
            self.assertEqual(read.returncode, 0, read.stderr)
            facts = json.loads(read.stdout)
            self.assertEqual((facts["stays"], facts["events"], facts["statics"], facts["outcome"]), (2, 2, 1, "boolean_value"))
            refused = subprocess.run([os.environ["FOVEA"], "inspect", "meds"], cwd=self.folder, capture_output=True, text=True, timeout=300)
            self.assertEqual(refused.returncode, 4)
            self.assertIn("Type: scripts/meds-to-long meds events.csv.gz", refused.stderr)

    def test_a_subject_may_have_several_prediction_times(self):
        self.sample()
        self.parquet("labels.parquet", ["subject_id", "prediction_time", "boolean_value"],
                     [[1, "2000-01-03 00:00:01", True], [1, "2000-01-01 01:00:00", False]])
        self.turn(0, "meds", "out.csv", "--labels", "labels.parquet", "--outcomes", "o.csv")
        self.assertEqual(self.rows("o.csv")[1:], [["1", "2000-01-01 01:00:00", "0"], ["1", "2000-01-03 00:00:01", "1"]])
        self.assertEqual(len(self.rows("out.csv")), 4)
        (self.folder / "modules" / "pyarrow").mkdir()
        for name, text in WRITER.items():
            (self.folder / "modules" / "pyarrow" / name).write_text(text)
        (self.folder / "risks.csv").write_text("stay_id,probability\n1@2000-01-03 00:00:01,.4\n1@2000-01-01 01:00:00,.2\n")
        self.turn(0, "--risks", "risks.csv", "--labels", "labels.parquet", "back.parquet")
        self.assertEqual([row[2:] for row in self.rows("back.parquet")[1:]], [["True", "False", "0.4"], ["False", "False", "0.2"]])
        (self.folder / "risks.csv").write_text("stay_id,probability\n1,.4\n")
        self.assertIn("has no label of its own", self.turn(4, "--risks", "risks.csv", "--labels", "labels.parquet", "back.parquet").stderr)

    def test_any_other_table_stays_as_it_is(self):
        self.parquet("dyn.parquet", ["stay_id", "time", "hr"], [[1, 0, 80.5], [1, 3600, None]])
        self.turn(0, "--table", "dyn.parquet", "dyn.csv")
        self.assertEqual(self.rows("dyn.csv"), [["stay_id", "time", "hr"], ["1", "0", "80.5"], ["1", "3600", ""]])

    def test_codes_become_numbers_where_that_is_asked_for(self):
        self.parquet("meds/data/0.parquet", ["subject_id", "time", "code", "numeric_value"],
                     [[1, None, "UNIT//3", None], [1, None, "UNIT//x", None], [1, None, "WARD//3", None], [1, None, "UNIT//4", 7.0]])
        self.turn(0, "meds", "out.csv", "--split", "UNIT", "--split", "ROOM")
        self.assertEqual([row[2:] for row in self.rows("out.csv")[1:]], [["UNIT", "3"], ["UNIT//x", ""], ["WARD//3", ""], ["UNIT//4", "7.0"]])

    def test_what_is_not_meds_ends_in_one_line(self):
        self.sample()
        self.parquet("meds/data/train/1.parquet", ["subject_id", "time"], [[1, None]])
        self.assertRegex(self.turn(4, "meds", "out.csv").stderr, r"\Ameds-to-long: meds/data/train/1.parquet: is not what MEDS has \([^\n]+\n\Z")
        self.assertEqual(list(self.folder.glob("out*")), [])
        self.assertIn("nowhere: holds no .parquet", self.turn(4, "nowhere", "out.csv").stderr)
        self.parquet("twice.parquet", ["subject_id", "prediction_time", "boolean_value"], 2 * [[1, "2000-01-03 00:00:00", True]])
        self.assertIn("subject 1 has two labels at 2000-01-03 00:00:00; keep one.", self.turn(4, "meds/data/held_out", "out.csv", "--labels", "twice.parquet").stderr)
        self.assertIn("need --labels", self.turn(2, "meds", "out.csv", "--outcomes", "o.csv").stderr)

    def test_without_a_package_the_one_line_says_what_to_type(self):
        (self.folder / "none").mkdir()
        for name in ("duckdb", "pyarrow"):
            (self.folder / "none" / f"{name}.py").write_text("raise ImportError")
        self.sample()
        self.assertEqual(self.turn(1, "meds", "out.csv", modules="none").stderr,
                         "meds-to-long: reading Parquet needs duckdb or pyarrow; type: python3 -m pip install duckdb\n")

    @unittest.skipUnless(SAMPLE and (importlib.util.find_spec("duckdb") or importlib.util.find_spec("pyarrow")),
                         "the shared sample or a reader of Parquet is not here")
    def test_the_shared_sample(self):
        (self.folder / "real").mkdir()
        self.assertEqual(self.turn(0, SAMPLE, "out.csv.gz", modules="real").stdout, "out.csv.gz  177520 rows\n")


if __name__ == "__main__":
    unittest.main()

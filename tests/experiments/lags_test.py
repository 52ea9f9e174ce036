"""fovea lags: from a file of series to links, as a table, JSON and CSV; what is wrong with a file ends in one line."""
import csv
import gzip
import io
import json
import math
import random
import subprocess
import sys
import unittest

from fovea_command import SOURCE, CommandTest


def driven(steps=300, seed=1):
    """Rows of three series: rain, a river that follows it after 3 steps, and noise."""
    draw = random.Random(seed)
    rain = [draw.gauss(0, 1) for _ in range(steps)]
    river = [0.0] * steps
    for t in range(steps):
        river[t] = draw.gauss(0, 0.5) + (0.9 * rain[t - 3] if t >= 3 else 0)
    return [[rain[t], river[t], draw.gauss(0, 1)] for t in range(steps)]


class Lags(CommandTest):
    def write(self, name, rows, header=("rain", "river", "noise")):
        text = ",".join(header) + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
        path = self.folder / name
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        return path

    def test_a_link_is_found_and_printed_as_table_json_and_csv(self):
        self.write("a.csv", driven())
        table = self.expect(0, "lags", "a.csv")
        self.assertIn("rain drives river after 3 steps", table.stdout)
        self.assertIn("report  runs/lag.discover-", table.stdout)
        report = next(self.folder.glob("runs/lag.discover-*"))
        for name in ("result.h5", "report.html", "figures/matrix.svg", "figures/profile.svg", "figures/overlay.svg"):
            self.assertTrue((report / name).exists(), name)
        links = json.loads(self.expect(0, "lags", "a.csv", "--json").stdout)
        self.assertEqual(list(links), ["links"])
        first = links["links"][0]
        self.assertEqual(list(first), ["cause", "effect", "lag", "strength", "p_value", "q_value", "self", "counts"])
        self.assertEqual((first["cause"], first["effect"], first["lag"]), ("rain", "river", 3))
        self.assertTrue(first["counts"] and not first["self"] and first["q_value"] < 1e-6)
        rows = list(csv.DictReader(io.StringIO(self.expect(0, "lags", "a.csv", "--csv").stdout)))
        self.assertEqual(len(rows), len(links["links"]))
        self.assertEqual(float(rows[0]["strength"]), first["strength"])

    def test_the_table_says_what_was_found_how_far_it_looked_back_and_how_sure(self):
        name = "the gauge at the old mill below the bridge"
        self.write("a.csv", driven(), (name, "river", "noise"))
        lines = self.expect(0, "lags", "a.csv", "--lags", "1-4").stdout.splitlines()
        self.assertEqual(lines[0], f"1 link between the 3 series counts: {name} drives river after 3 steps. Looked at lags "
                                   "0 to 4 steps, false discovery rate 5 %.")
        self.assertEqual(lines[1].split(), ["cause", "effect", "lag", "strength", "p", "q"])
        self.assertTrue(lines[2].startswith(f"  {name[:23]}\u2026  river   3 steps     0."), lines[2])
        self.assertTrue(all(len(line) <= 80 for line in lines[1:] if not line.startswith(("note", "result", "report"))))
        everything = self.expect(0, "lags", "a.csv", "--lags", "1-4", "--all").stdout
        self.assertRegex(everything, r"river +3 steps +0\.\d{3} +\S+ +\S+ +yes\n")
        draw = random.Random(3)
        slow = [[0.0] * 12]
        for _ in range(600):
            slow.append([0.999 * x + 0.01 * draw.gauss(0, 1) for x in slow[-1]])
        self.write("slow.csv", slow, [f"s{i}" for i in range(12)])
        self.assertIn("--all, --csv and --json have all", self.expect(0, "lags", "slow.csv", "--lags", "1-2").stdout)

    def test_the_page_can_be_read_at_all_widths_and_printed(self):
        self.write("a.csv", driven(), ("rain 1", "river 2", "noise 3"))
        self.expect(0, "lags", "a.csv")
        done = subprocess.run([sys.executable, SOURCE / "tests" / "browser" / "page_test.py",
                               next(self.folder.glob("runs/*/report.html"))], capture_output=True, text=True)
        self.assertIn(done.returncode, (0, 77), done.stdout + done.stderr)  # 77: no browser here

    def test_all_links_tested_come_by_q_with_those_that_count(self):
        self.write("a.csv", driven())
        words = ["lags", "a.csv", "--max-lag", "4", "--json"]
        counting = json.loads(self.expect(0, *words).stdout)["links"]
        everything = json.loads(self.expect(0, *words, "--all").stdout)["links"]
        self.assertEqual(len(everything), 3 * 3 * 4 + 3)   # at lag 0 a pair has one link
        lagged = json.loads(self.expect(0, *words, "--all", "--lagged-only").stdout)["links"]
        self.assertEqual(len(lagged), 3 * 3 * 4)
        self.assertEqual([link for link in everything if link["counts"]], counting)
        self.assertEqual([link["q_value"] for link in everything], sorted(link["q_value"] for link in everything))

    def test_options_say_lags_targets_columns_and_times(self):
        rows = driven()
        self.write("a b,c.csv.gz", [[2 * t, *row] for t, row in enumerate(rows)], ("hour", "rain", "river", "noise"))
        done = self.expect(0, "lags", "a b,c.csv.gz", "--lags", "1-2,3,7", "--lagged-only", "--targets", "river",
                           "--columns", "rain,river", "--all", "--json")
        links = json.loads(done.stdout)["links"]
        self.assertEqual({(link["cause"], link["effect"]) for link in links}, {("rain", "river"), ("river", "river")})
        self.assertEqual({link["lag"] for link in links}, {1, 2, 3, 7})
        self.assertIn("rain drives river after 6 hours", self.expect(0, "lags", "a b,c.csv.gz").stdout)
        none = self.expect(0, "lags", "a b,c.csv.gz", "--time", "none", "--level", "1e-9", "--json")
        self.assertIn("hour", {link["cause"] for link in json.loads(none.stdout)["links"]})

    def test_the_same_bits_for_any_number_of_threads(self):
        self.write("a.csv", driven())
        outputs = {self.expect(0, "lags", "a.csv", "--json", "--all", "-f", "-t", threads).stdout for threads in (1, 2, 3, 5)}
        self.assertEqual(len(outputs), 1)

    def test_no_link_is_an_answer(self):
        rows = driven()
        self.write("n.csv", [[row[0], row[2]] for row in rows], ("a", "b"))
        self.assertEqual(json.loads(self.expect(0, "lags", "n.csv", "--level", "1e-6", "--json").stdout), {"links": []})
        self.assertIn("No link between the series counts", self.expect(0, "lags", "n.csv", "--level", "1e-6").stdout)

    def test_uneven_times_go_to_pairs(self):
        draw = random.Random(2)
        times = sorted(draw.uniform(0, 100) for _ in range(60))
        rows = [f"{name},{t:.4f},{math.sin((t - lag) / 5) + draw.gauss(0, .05):.5f},0.05\n"
                for name, lag in (("driver", 0), ("response", 4)) for t in times]
        (self.folder / "long.csv").write_text("series,t,y,dy\n" + "".join(rows))
        pairs = json.loads(self.expect(0, "lags", "long.csv", "--json").stdout)
        self.assertEqual(list(pairs), ["pairs"])
        self.assertEqual(list(pairs["pairs"][0]), ["driver", "response", "lag", "interval68", "interval95", "false_alarm"])
        self.assertIn("is for evenly spaced times", self.expect(2, "lags", "long.csv", "--lags", "1-3").stderr)

    def test_mistakes_end_in_one_line(self):
        self.write("a.csv", driven())
        (self.folder / "bad.csv").write_text("a,b\n1,2\n2,x\n")
        (self.folder / "short.csv").write_text("a,b\n1,2\n2,1\n3,9\n3,2\n5,5\n")
        for code, words, sentence in [
            (4, ["bad.csv"], "fovea: bad.csv:row 3, column 'b': 'x' is not a number; leave the cell empty"),
            (4, ["short.csv"], "short.csv: has 5 steps, but lags up to 1 need at least 21"),
            (7, ["none.csv"], "none.csv: cannot be opened"),
            (4, ["a.csv", "--targets", "rivr"], "did you mean 'river'?"),
            (4, ["a.csv", "--columns", "rivr"], "did you mean 'river'?"),
            (4, ["a.csv", "--time", "rian"], "did you mean 'rain'?"),
            (3, ["a.csv", "--lags", "1-x"], "'x' is no lag"),
            (3, ["a.csv", "--lags", "5-2"], "runs backwards; write 2-5"),
            (3, ["a.csv", "--level", "2"], "test.level"),
            (3, ["a.csv", "--method", "grangr"], "method.name"),
            (2, ["a.csv", "--max-lag", "0"], "must be a whole number >= 1"),
            (2, ["a.csv", "--max-lag", "3", "--lags", "1-3"], "give one of them"),
            (2, ["a.csv", "--json", "--csv"], "give one of them"),
            (2, [], "'lags' takes FILE, but 0 were given"),
        ]:
            with self.subTest(words):
                self.assertIn(sentence, self.expect(code, "lags", *words).stderr)
        self.assertFalse((self.folder / "runs").exists())


if __name__ == "__main__":
    unittest.main()

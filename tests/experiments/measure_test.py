"""fovea measure: from answers or a network to measures, as a table, JSON and CSV; what is wrong ends in one line."""
import collections
import csv
import io
import json
import random
import re
import unittest

from fovea_command import CommandTest

FEW = ["--draws", 100, "--null-draws", 50]


class Measure(CommandTest):
    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def survey(self):
        """Three waves in two countries; in the second the answers spread from wave to wave."""
        draw = random.Random(1)
        rows = ["wave,country,q,w"]
        for wave in (2010, 2015, 2020):
            for country in ("Norway", "Spain"):
                sd = 1.2 * (1 + (wave - 2010) / 15 if country == "Spain" else 1)
                for _ in range(400):
                    rows.append(f"{wave},{country},{min(7, max(1, round(draw.gauss(4, sd))))},{draw.uniform(0.5, 2):.3f}")
        self.write("survey.csv", "\n".join(rows) + "\n")
        return ["measure", "survey.csv", "--value", "q", "--by", "wave,country", "--scale", "1..7", "--weight", "w", *FEW]

    def test_a_survey_as_table_json_csv_and_page(self):
        words = self.survey()
        table = self.expect(0, *words).stdout
        self.assertIn("Of 12 changes of agreement, bimodality and sd from wave to wave", table)
        self.assertRegex(table, r"(?m)^  group +mean +sd +agreement +bimodality$")
        self.assertRegex(table, r"(?m)^  wave 2020, Spain( +[\d.]+){4}$")
        self.assertRegex(table, r"(?m)^  Spain: 2015 to 2020 +-?[\d.]+[* ] +[\d.]+\*")
        self.assertIn("* the interval of the change has no 0", table)
        self.assertLess(len(table.splitlines()), 20)
        every = self.expect(0, *words, "--all").stdout
        self.assertRegex(every, r"Spain: 2010 to 2015 +dip +-[\d.]+ +-[\d.]+ to ")
        self.assertNotIn("\u2212", table + every)  # numbers that can be copied into a program
        self.assertIn("report  runs/opinion.measure-", table)
        self.assertTrue((next(self.folder.glob("runs/opinion.measure-*")) / "report.html").exists())
        found = json.loads(self.expect(0, *words, "--json").stdout)
        self.assertEqual([group["group"] for group in found["groups"]],
                         [f"wave {wave}, {country}" for country in ("Norway", "Spain") for wave in (2010, 2015, 2020)])
        spread = {one["step"]: one for one in found["changes"] if one["measure"] == "sd"}
        self.assertEqual(len(spread), 4)
        self.assertGreater(spread["Spain: 2015 to 2020"]["low"], 0)
        first = {one["measure"]: one for one in found["groups"][0]["measures"]}
        self.assertEqual(len(first), 13)
        for one in first.values():
            if one["measure"] != "dip":  # draws nearly always have a larger one, and then there is no interval
                self.assertLessEqual(one["low"], one["high"])
                self.assertLessEqual(one["low"], one["value"])
                self.assertLessEqual(one["value"], one["high"])
        self.assertLess(found["groups"][0]["effective_size"], 400)
        rows = list(csv.DictReader(io.StringIO(self.expect(0, *words, "--csv").stdout)))
        self.assertEqual(len(rows), 13 * (6 + 4))
        self.assertEqual(float(rows[0]["value"]), found["groups"][0]["measures"][0]["value"])

    def test_a_single_column_is_compared_with_a_normal_opinion_on_its_scale(self):
        self.write("two.csv", "opinion\n" + "1\n7\n" * 60 + "4\n" * 20)
        found = json.loads(self.expect(0, "measure", "two.csv", "--scale", "1..7", *FEW, "--json").stdout)
        of = {one["measure"]: one for one in found["groups"][0]["measures"]}
        self.assertGreater(of["bimodality"]["value"], of["bimodality"]["null"]["high"])
        self.assertLess(of["bimodality"]["null"]["p_value"], 0.05)
        self.assertIsNone(of["mean"]["null"]["mean"])
        self.assertEqual(found["changes"], [])

    def test_parties_of_a_survey_as_table_json_and_csv(self):
        draw = random.Random(2)
        rows = [(party, wave, min(7, max(1, round(draw.gauss(4 + shift * wave, 1.2)))))
                for wave in (1, 2) for party, shift in (("A", -0.4), ("B", 0.4), ("C", 0)) for _ in range(150)]
        self.write("s.csv", "party,wave,q,dweight\n" + "".join(f"{a},{b},{c},1\n" for a, b, c in rows))
        words = ["measure", "s.csv", "--value", "q", "--sides", "party", "--by", "wave", "--scale", "1..7", *FEW]
        table = self.expect(0, *words).stdout
        self.assertIn("The mean answers of the 3 sides of party differ significantly in both groups", table)
        self.assertIn("where 'dweight' holds design weights", " ".join(table.split()))
        found = json.loads(self.expect(0, *words, "--json").stdout)
        of = {one["measure"]: one for one in found["groups"][1]["measures"]}
        means = [sum(q for p, w, q in rows if p == party and w == 2) / 150 for party in "ABC"]
        self.assertAlmostEqual(of["distance_of_means"]["value"],
                               sum(abs(a - b) for a in means for b in means) / 6, 12)
        q = [q for _, w, q in rows if w == 2]
        mean = sum(q) / 450
        self.assertAlmostEqual(of["eta_squared"]["value"], sum((m - mean) ** 2 for m in means) * 150
                               / sum((x - mean) ** 2 for x in q), 12)
        change = {one["measure"]: one for one in found["changes"]}["distance_of_means"]
        self.assertGreater(change["low"], 0)
        rows = list(csv.DictReader(io.StringIO(self.expect(0, *words, "--csv").stdout)))
        self.assertEqual({row["kind"] for row in rows}, {"value", "change"})

    def test_a_table_of_counts_has_the_intervals_of_its_people(self):
        self.write("counts.csv", "answer,people\n1,25\n2,45\n3,200\n4,140\n5,520\n6,60\n7,10\n")
        found = json.loads(self.expect(0, "measure", "counts.csv", *FEW, "--json").stdout)
        group = found["groups"][0]
        of = {one["measure"]: one for one in group["measures"]}
        self.assertEqual(group["answers"], 1000)
        for name, value in (("agreement", 0.614333), ("mean", 4.305), ("variance", 1.361975), ("bimodality", 0.498986)):
            self.assertAlmostEqual(of[name]["value"], value, 6)
        self.assertLess(of["mean"]["high"] - of["mean"]["low"], 0.2)  # 4 standard errors of 1000 are 0.15
        self.assertIn("1000 in 7 rows", " ".join(found["notes"]))

    def test_a_network_with_given_sides_with_opinions_and_with_neither(self):
        ring = [(i, (i + 1) % 10) for i in range(10)]
        edges = [(f"a{i}", f"a{j}") for i, j in ring] + [(f"a{i}", f"a{(i + 3) % 10}") for i in range(10)]
        edges += [(a.replace("a", "b"), b.replace("a", "b")) for a, b in edges] + [("a0", "b0")]
        self.write("edges.csv", "source,target\n" + "".join(f"{a},{b}\n" for a, b in edges))
        names = sorted({name for edge in edges for name in edge})
        self.write("sides.csv", "node,team\n" + "".join(f"{name},{name[0]}\n" for name in names))
        self.write("opinions.csv", "node,opinion\n" + "".join(f"{name},{-1 if name[0] == 'a' else 1}\n" for name in names))
        within = (len(edges) - 1) / len(edges)
        for words, count in ((["sides.csv"], 4), (["opinions.csv"], 18), ([], 4)):
            found = json.loads(self.expect(0, "measure", *words, "--edges", "edges.csv", *FEW, "--hubs", 2, "--json").stdout)
            of = {one["measure"]: one for one in found["groups"][0]["measures"]}
            self.assertAlmostEqual(of["modularity"]["value"], within - 0.5, 12)
            self.assertAlmostEqual(of["ei_index"]["value"], 1 - 2 * within, 12)
            self.assertEqual(sum(one["value"] is not None for one in of.values()), count, words)
        self.assertIn("found from the network itself", " ".join(found["notes"]))
        self.assertGreater(of["modularity"]["value"], of["modularity"]["null"]["high"])

    def test_a_panel_on_a_network_has_a_change_from_wave_to_wave(self):
        self.write("edges.csv", "source,target\n" + "".join(
            f"{side}{i},{side}{(i + step) % 12}\n" for side in "ab" for i in range(12) for step in (1, 2, 5)))
        self.write("panel.csv", "node,wave,side\n" + "".join(
            f"{side}{i},{wave},{'ab'[i % 2] if wave == 2 else side}\n" for wave in (1, 2) for side in "ab" for i in range(12)))
        found = json.loads(self.expect(0, "measure", "panel.csv", "--edges", "edges.csv", "--by", "wave", *FEW, "--json").stdout)
        self.assertEqual([group["group"] for group in found["groups"]], ["wave 1", "wave 2"])
        change = {one["measure"]: one for one in found["changes"]}["modularity"]
        self.assertLess(change["high"], 0)
        svg = next(self.folder.glob("runs/opinion.measure-*/figures/network.svg")).read_text()
        self.assertNotIn("linearGradient", svg)  # two sides are no scale: a colour and an entry of the legend each
        colours = collections.Counter(re.findall(r'<circle[^>]*fill="(#[0-9a-f]{6})"', svg))
        self.assertEqual(sorted(colours.values()), [13, 13], colours)

    def test_what_is_wrong_ends_in_one_line(self):
        self.write("s.csv", "wave,q\n1,2\n2,3\n")
        for code, words, sentence in (
                (2, [], "measure: give FILE, a table of answers, or --edges FILE, a network."),
                (3, ["s.csv", "--value", "q", "--scale", "7"], "must be its two ends such as 1..7"),
                (3, ["s.csv", "--value", "q", "--measures", "gini"], "there is no measure 'gini'"),
                (4, ["s.csv", "--edges", "s.csv", "--by", "wave"], "has no column 'node'"),
                (4, ["s.csv", "--value", "x"], "has no column 'x'"),
                (4, ["s.csv"], "it is not clear which column holds the opinions (wave, q)"),
                (4, ["s.csv", "--value", "q", "--scale", "1..2"], "off the scale 1..2 is 3 (1 time)")):
            with self.subTest(words=words):
                self.assertIn(sentence, self.expect(code, "measure", *words).stderr)


if __name__ == "__main__":
    unittest.main()

"""fovea lags: from a file of series to links, as a table, JSON and CSV; what is wrong with a file ends in one line."""
import csv
import datetime
import fcntl
import gzip
import io
import json
import math
import os
import pty
import random
import re
import struct
import subprocess
import sys
import termios
import unittest
from xml.etree import ElementTree

from fovea_command import FOVEA, SOURCE, CommandTest


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
        first = links["links"][0]
        self.assertEqual(list(first)[:8], ["cause", "effect", "lag", "strength", "p_value", "q_value", "self", "counts"])
        self.assertTrue(first["promised"])
        self.assertEqual([series["doubts"] for series in links["series"]], [[], [], []])
        self.assertEqual((first["cause"], first["effect"], first["lag"]), ("rain", "river", 3))
        self.assertTrue(first["counts"] and first["significant"] and not first["self"] and first["q_value"] < 1e-6)
        rows = list(csv.DictReader(io.StringIO(self.expect(0, "lags", "a.csv", "--csv").stdout)))
        self.assertEqual(len(rows), len(links["links"]))
        self.assertEqual(float(rows[0]["strength"]), first["strength"])
        self.assertEqual([row["promised"] == "1" for row in rows], [link["promised"] for link in links["links"]])
        self.assertNotIn("promised", table.stdout)                   # a column only where some are not

    def test_a_page_is_titled_by_its_file_unless_the_config_has_a_title_and_dates_are_dates(self):
        day = datetime.date(1968, 11, 5)
        self.write("d.csv", [[day + datetime.timedelta(t), *row] for t, row in enumerate(driven())],
                   ("date", "rain", "river", "noise"))
        self.write("a.csv", driven())
        pages = []
        for words in (["lags", "d.csv"], ["lags", "a.csv"]):
            printed = self.expect(0, *words).stdout
            pages.append((self.folder / re.search(r"report  (\S+)", printed)[1]).read_text())
        self.assertTrue(re.search(r"<h1>d\.csv: \d+ significant links?</h1>", pages[0]))
        data = [re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1] for page in pages]
        self.assertEqual(["days since 1970-01-01" in one for one in data], [True, False])
        (self.folder / "t.toml").write_text('experiment = "lag.discover"\ntitle = "My river"\n[data]\nfile = "a.csv"\n')
        printed = self.expect(0, "run", "t.toml").stdout
        self.assertTrue("<h1>My river</h1>" in (self.folder / re.search(r"report  (\S+)", printed)[1]).read_text())

    def test_of_a_file_that_was_cut_no_other_command_is_named(self):
        (self.folder / "cut.csv").write_bytes(gzip.compress(b"wave,answer,weight\n" + b"1,4,1.5\n" * 900)[:-20])
        self.assertTrue(self.expect(4, "lags", "cut.csv").stderr.endswith("it was cut, get it again.\n"))

    def test_links_of_a_method_without_a_rate_are_promised_in_no_form(self):
        self.write("a.csv", driven())
        words = ["lags", "a.csv", "--method", "pcmci_plus", "--max-lag", "4", "--beside", ""]
        links = json.loads(self.expect(0, *words, "--json").stdout)["links"]
        self.assertTrue(any(link["counts"] for link in links))
        self.assertFalse(any(link["promised"] for link in links))
        self.assertRegex(self.expect(0, *words, "--export", "g.dot").stdout, r"promised\n(.*\n)* .* no\n")

    def test_the_table_says_what_was_found_how_far_it_looked_back_and_how_sure(self):
        name = "the gauge at the old mill below the bridge"
        self.write("a.csv", driven(), (name, "river", "noise"))
        lines = self.expect(0, "lags", "a.csv", "--lags", "1-4").stdout.splitlines()
        self.assertTrue(lines[0].startswith("1 significant link among 3 series (FDR 5 %, lags 0 to 4 steps): "
                                            f"{name} drives river after 3 steps. On 40 surrogates of this table, "), lines[0])
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

    def test_on_a_terminal_sentences_fit_its_width_and_elsewhere_each_is_a_line(self):
        self.write("a.csv", driven(), ("rain \u00e0 la carte", "river", "noise"))
        for width, words in ((70, ("lags", "a.csv")), (78, ("lags", "a.csv")), (90, ("help", "lags"))):
            plain = self.expect(0, *words).stdout
            shown = self.on_terminal(width, *words)
            sentences = shown.split("\n") if words[0] == "lags" else shown.split("Options:\n")[1].split("\n\n")[0].split("\n")
            self.assertEqual([line for line in sentences if len(line) > width and not line.startswith(
                ("result", "report", "strength", "q:"))], [])
            self.assertGreater(shown.count("\n"), plain.count("\n"))
            self.assertEqual(shown.split(), plain.split())

    def on_terminal(self, width, *words):
        """What the command writes on a terminal of so many columns."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        running = subprocess.Popen([FOVEA, *words], cwd=self.folder, stdout=theirs, stderr=subprocess.DEVNULL)
        os.close(theirs)
        pieces = []
        try:
            while piece := os.read(ours, 4096):
                pieces.append(piece)
        except OSError:  # how Linux says that the other end is closed
            pass
        os.close(ours)
        self.assertEqual(running.wait(), 0)
        return b"".join(pieces).decode().replace("\r\n", "\n")

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
        self.assertEqual([link for link in everything if link["significant"]], counting)
        self.assertTrue(all(link["significant"] == link["counts"] for link in everything))
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
        self.assertNotIn("hour", {link["cause"] for link in json.loads(none.stdout)["links"]})
        self.assertTrue(any("'hour'" in note for note in json.loads(none.stdout)["notes"]))  # it counts the rows

    def test_odd_names_come_through_every_form(self):
        names = ('rain "new", \u00e9', 'ri"ver\\2', "noise; [mm]")
        self.write("odd.csv", driven(), ['"' + name.replace('"', '""') + '"' for name in names])
        words = ["lags", "odd.csv", "--max-lag", "4", "--all"]
        links = json.loads(self.expect(0, *words, "--json").stdout)["links"]
        self.assertEqual({link["cause"] for link in links}, set(names))
        rows = list(csv.DictReader(io.StringIO(self.expect(0, *words, "--csv").stdout)))
        self.assertEqual([(row["cause"], row["effect"], int(row["lag"]), float(row["q_value"]), row["self"] == "1", row["counts"] == "1")
                          for row in rows],
                         [tuple(link[key] for key in ("cause", "effect", "lag", "q_value", "self", "counts")) for link in links])
        self.assertTrue(all(link["self"] == (link["cause"] == link["effect"]) for link in links))
        table = self.expect(0, *words).stdout.split("\n")
        apart = table.index("Each series' own past:")
        first, own = table[1:apart], table[apart + 1:]
        self.assertEqual(len(first), 1 + 3 * 2 * 4 + 3)
        ends = {re.search(r" steps? ", line).end() for line in first[1:]}
        self.assertEqual(len(ends), 1, "columns are aligned by letters, not bytes")
        self.assertTrue(first[1].startswith(f"  {names[0]}  {names[1]}  ") and first[1].endswith("yes"), first[1])
        self.assertEqual([line.strip().split("  ")[0] for line in own[1:13]].count(names[2]), 4)
        few = json.loads(self.expect(0, *words, "--json", "--targets", names[1], "--columns", names[1] + "," + names[2]).stdout)
        self.assertEqual({link["effect"] for link in few["links"] if link["lag"] > 0}, {names[1]})

    def test_the_graph_is_exported_with_any_names(self):
        names = ('rain "new", \u00e9 <&>', 'ri"ver\\', "noise; ]]> [mm]")
        rows = [[2 * t, *row] for t, row in enumerate(driven())]
        self.write("odd.csv", rows, ["hour", *('"' + name.replace('"', '""') + '"' for name in names)])
        done = self.expect(0, "lags", "odd.csv", "--max-lag", "4", "--export", "g.graphml")
        self.assertIn("graph   g.graphml\n", done.stdout)
        spaces = {"g": "http://graphml.graphdrawing.org/xmlns"}
        root = ElementTree.parse(self.folder / "g.graphml").getroot()
        keys = {key.get("id"): key.get("attr.name") for key in root.findall("g:key", spaces)}
        data = lambda item: {keys[one.get("key")]: one.text for one in item.findall("g:data", spaces)}
        nodes = {node.get("id"): data(node) for node in root.iterfind(".//g:node", spaces)}
        self.assertEqual([node["label"] for node in nodes.values()], list(names))
        self.assertEqual([node.get("unit") for node in nodes.values()], [None, None, "mm"])
        links = [link for link in json.loads(self.expect(0, "lags", "odd.csv", "--max-lag", "4", "--json").stdout)["links"]
                 if not link["self"]]
        edges = [(edge, data(edge)) for edge in root.iterfind(".//g:edge", spaces)]
        self.assertEqual([(nodes[edge.get("source")]["label"], nodes[edge.get("target")]["label"], int(said["lag_steps"]),
                           float(said["strength"]), float(said["q"]), float(said["effect_size"])) for edge, said in edges],
                         [(link["cause"], link["effect"], link["lag"], link["strength"], link["q_value"],
                           link["effect_size"]) for link in links])
        self.assertEqual([(float(said["lag"]), said["lag_unit"]) for _, said in edges], [(6, "hours")])
        self.expect(0, "lags", "odd.csv", "--max-lag", "4", "--export", "g.dot", "--json")
        text = (self.folder / "g.dot").read_text(encoding="utf-8")
        texts = re.findall(r'label="((?:[^"\\]|\\.)*)"', text)
        self.assertEqual([re.sub(r"\\(.)", r"\1", one) for one in texts], [*names, "6 hours"])
        self.assertRegex(text, r'\n  n0 -> n1 \[label="6 hours", lag=6, lag_steps=3, lag_unit="hours", strength=0\.')

    def test_a_link_within_a_step_is_undirected_in_the_exported_graph(self):
        draw = random.Random(5)
        both = [draw.gauss(0, 1) for _ in range(300)]
        self.write("a.csv", [[x + draw.gauss(0, 0.5), x + draw.gauss(0, 0.5)] for x in both], ("a", "b"))
        self.expect(0, "lags", "a.csv", "--max-lag", "2", "--export", "g.graphml")
        self.assertEqual((self.folder / "g.graphml").read_text().count('directed="false"'), 1)
        self.expect(0, "lags", "a.csv", "--max-lag", "2", "--export", "g.dot")
        self.assertEqual((self.folder / "g.dot").read_text().count("dir=none"), 1)

    def test_effects_are_in_units_and_the_causes_improve_the_forecast(self):
        rows = [[rain, 100 + 20 * river, noise] for rain, river, noise in driven(600)]
        self.write("a.csv", rows, ("rain [mm]", "river [m]", "noise"))
        found = self.document("a.csv", "--max-lag", "4", "--all")
        link = next(link for link in found["links"] if link["counts"] and not link["self"])
        self.assertEqual(link["unit"], "m per mm")
        self.assertTrue(link["effect_low"] < 18 < link["effect_high"] < 20, link)  # 20 * .9
        self.assertEqual((link["lag_low"], link["lag_high"], link["total_size"]), (3, 3, None))
        self.assertEqual({one["effect_size"] for one in found["links"] if not one["counts"]}, {None})
        skill = {series["name"]: series["skill"] for series in found["series"]}
        self.assertIsNone(skill["noise"])
        self.assertTrue(0.65 < skill["river [m]"] < 0.85, skill)  # .81 of 1.06 of the variance

    def test_what_is_known_beforehand_is_neither_tested_nor_lost(self):
        self.write("a.csv", driven())
        words = ("--max-lag", "4", "--all", "--forbid", "rain<-*", "--forbid", "river->noise@1-2", "--json")
        links = json.loads(self.expect(0, "lags", "a.csv", *words).stdout)["links"]
        tested = {(link["cause"], link["effect"], link["lag"]) for link in links if link["lag"] > 0}
        self.assertFalse([link for link in tested if link[1] == "rain" and link[0] != "rain"])
        self.assertEqual({lag for cause, effect, lag in tested if (cause, effect) == ("river", "noise")}, {3, 4})
        self.assertEqual(len(tested), 3 * 3 * 4 - 2 * 4 - 2)
        self.assertIn(("rain", "river", 3), {(link["cause"], link["effect"], link["lag"]) for link in links if link["counts"]})
        done = self.expect(0, "lags", "a.csv", "--max-lag", "4", "--tiers", "rain | river", "--require", "rain->river@3")
        self.assertIn("Tiers are given by you: rain | river.", done.stdout)
        self.assertIn("1 link is required by you: rain->river@3.", done.stdout)

    def test_the_table_shows_some_and_the_other_forms_all(self):
        self.write("a.csv", driven())
        table = self.expect(0, "lags", "a.csv", "--max-lag", "40", "--all").stdout
        lines = table.split("\n")
        self.assertIn("  ... and 43 more; --csv and --json have all.", lines)     # 3 * 2 * 40 + 3 of two series
        self.assertEqual(lines.index("  ... and 43 more; --csv and --json have all."), 202)
        self.assertEqual(len(json.loads(self.expect(0, "lags", "a.csv", "--max-lag", "40", "--all", "--json").stdout)["links"]), 363)

    def test_the_same_bits_for_any_number_of_threads(self):
        self.write("a.csv", driven())
        outputs = {self.expect(0, "lags", "a.csv", "--json", "--all", "-f", "-t", threads).stdout for threads in (1, 2, 3, 5)}
        self.assertEqual(len(outputs), 1)

    def test_trends_are_named_and_gone_in_the_differences(self):
        draw, level = random.Random(4), [0.0, 0.0, 0.0]
        rows = [list(level := [x + 0.1 + draw.gauss(0, 1) for x in level]) for _ in range(300)]
        self.write("walks.csv", rows)
        levels = self.expect(0, "lags", "walks.csv").stdout
        self.assertIn("note: May be a random walk or a trend (not rejected by the test of Dickey", levels)
        changes = self.expect(0, "lags", "walks.csv", "--difference").stdout
        self.assertNotIn("May be", changes)
        self.assertIn("note: The series are differences from step to step.", changes)
        self.assertIn("No significant link among ", changes)

    def test_no_link_is_an_answer(self):
        rows = driven()
        self.write("n.csv", [[row[0], row[2]] for row in rows], ("a", "b"))
        self.assertEqual(self.document("n.csv", "--level", "1e-6")["links"], [])
        self.assertIn("No significant link among ", self.expect(0, "lags", "n.csv", "--level", "1e-6").stdout)

    def test_uneven_times_go_to_pairs(self):
        draw = random.Random(2)
        times = sorted(draw.uniform(0, 100) for _ in range(60))
        rows = [f"{name},{t:.4f},{math.sin((t - lag) / 5) + draw.gauss(0, .05):.5f},0.05\n"
                for name, lag in (("driver", 0), ("response", 4)) for t in times]
        (self.folder / "long.csv").write_text("series,t,y,dy\n" + "".join(rows))
        pairs = json.loads(self.expect(0, "lags", "long.csv", "--json").stdout)
        self.assertEqual(list(pairs["pairs"][0])[:6], ["driver", "response", "lag", "interval68", "interval95", "false_alarm"])
        low95, low68, high68, high95 = (pairs["pairs"][0][key][end] for key, end in (
            ("interval95", 0), ("interval68", 0), ("interval68", 1), ("interval95", 1)))
        self.assertTrue(low95 < low68 < pairs["pairs"][0]["lag"] < high68 < high95)
        row = next(csv.DictReader(io.StringIO(self.expect(0, "lags", "long.csv", "--csv").stdout)))
        self.assertEqual([float(row[key]) for key in ("low95", "low68", "high68", "high95")], [low95, low68, high68, high95])
        self.assertIn("Lags from -6 to 6 were tested", self.expect(0, "lags", "long.csv", "--max-lag", "6").stdout)
        self.assertIn("fovea: --level 7: level = 7", self.expect(3, "lags", "long.csv", "--level", "7").stderr)
        table = self.expect(0, "lags", "long.csv", "--level", "0.001", "--set", "unrelated.draws=9").stdout
        self.assertIn("above the level 0.001", table)
        self.assertIn("applies to evenly spaced times", self.expect(2, "lags", "long.csv", "--lags", "1-3").stderr)

    def document(self, *words):
        """What --json prints, held against the schema of json.md."""
        text = self.expect(0, "lags", *words, "--json").stdout
        document = json.loads(text, parse_constant=lambda name: self.fail(f"{name} is no JSON"))
        schema = json.loads((SOURCE / "domains/lag/json.md").read_text().split("```json\n")[1].split("```")[0])
        self.hold_against(schema, document, "the document")
        self.assertEqual(text.count("\n"), 1)
        return document

    def hold_against(self, schema, value, place):
        """The few words of JSON Schema that json.md uses; each object has all of its keys, in their order."""
        kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int,
                 "number": (int, float)}
        if "enum" in schema:
            self.assertIn(value, schema["enum"], place)
        if "type" in schema:
            types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
            self.assertTrue(any(isinstance(value, kinds[kind]) and (kind == "boolean" or not isinstance(value, bool))
                                for kind in types), f"{place}: {value!r} is none of {types}")
        if isinstance(value, dict) and "additionalProperties" in schema:
            for key, one in value.items():
                self.hold_against(schema["additionalProperties"], one, f"{place}.{key}")
        elif isinstance(value, dict):
            self.assertEqual(list(value), list(schema["properties"]), place)
            for key, one in value.items():
                self.hold_against(schema["properties"][key], one, f"{place}.{key}")
        if isinstance(value, list):
            for number, one in enumerate(value):
                self.hold_against(schema["items"], one, f"{place}[{number}]")

    def test_json_says_what_was_read_tested_found_and_promised(self):
        names = ('rain "new"\\, \u00e9', "river [m]", "noise \u6c34")
        rows = [[3 * t, *row] for t, row in enumerate(driven())]
        rows[7][2] = ""
        self.write("a b\u00e9.csv", rows, ["hour", *('"' + name.replace('"', '""') + '"' for name in names)])
        found = self.document("a b\u00e9.csv", "--lags", "1-4,9", "--level", "0.01", "--all")
        self.assertEqual([found[key] for key in ("file", "rows", "recordings", "step", "unit", "level", "method", "pairs")],
                         ["a b\u00e9.csv", 300, 1, 3, "hours", 0.01, "attention", []])
        self.assertEqual(found["version"], self.expect(0, "--version").stdout.split()[1])
        self.assertEqual(found["lags"], {"from": 0, "to": 9, "unit": "steps", "tested": [0, 1, 2, 3, 4, 9]})
        self.assertEqual([series["name"] for series in found["series"]], list(names))
        self.assertEqual([series["unit"] for series in found["series"]], [None, "m", None])
        self.assertEqual([series["missing"] for series in found["series"]], [0, 1, 0])
        self.assertEqual(found["series"][0]["max"], max(row[1] for row in rows))
        self.assertIn(f"{names[0]} drives {names[1]} after 9 hours", found["verdict"])
        self.assertIn("at most 1 % are false on average", found["promise"])
        self.assertIn("at lags 0-4,9 (in steps)", found["promise"])
        self.assertIn("How to read this", found["notes"][0])
        for link in found["links"]:
            self.assertEqual(link["direction"], None if link["lag"] == 0 else "->")
            self.assertAlmostEqual(link["log10_p"], math.log10(link["p_value"]), places=9)
        self.assertEqual({link["direction"] for link in found["links"]}, {None, "->"})
        rows = list(csv.DictReader(io.StringIO(
            self.expect(0, "lags", "a b\u00e9.csv", "--lags", "1-4,9", "--level", "0.01", "--all", "--csv").stdout)))
        self.assertEqual([(row["direction"] or None, float(row["log10_p"])) for row in rows],
                         [(link["direction"], link["log10_p"]) for link in found["links"]])

    def test_further_effects_are_links_of_their_own_kind(self):
        draw, rows = random.Random(3), []
        for t in range(600):
            rain, snow = draw.gauss(0, 1), draw.gauss(0, 1)
            product = 0.6 * rows[t - 1][0] * rows[t - 2][1] if t > 1 else 0
            rows.append([rain, snow, product + draw.gauss(0, 1)])
        self.write("a.csv", rows, ("rain", "snow", "river"))
        found = self.document("a.csv", "--max-lag", "3")
        link, other = sorted((link for link in found["links"] if not link["self"]), key=lambda link: link["cause"])
        self.assertEqual((link["cause"], link["effect"], link["lag"], link["kind"], link["with"]),
                         ("rain", "river", 1, "product", {"cause": "snow", "lag": 2}))
        self.assertEqual((other["cause"], other["lag"], other["with"]), ("snow", 2, {"cause": "rain", "lag": 1}))
        own = [link for link in found["links"] if link["self"]]
        self.assertTrue(all(link["test"] in ("Student t", "robust t", "normal scores") for link in own))
        self.assertIn("rain drives river after 1 step", found["verdict"])
        self.assertIn("effects on the variance have tests of their own", found["promise"])
        everything = self.document("a.csv", "--max-lag", "3", "--all")["links"]
        self.assertIn(link, everything)
        self.assertEqual({one["kind"] for one in everything}, {"steady", "product"})
        rows = csv.DictReader(io.StringIO(self.expect(0, "lags", "a.csv", "--max-lag", "3", "--csv").stdout))
        row, = [row for row in rows if row["cause"] == "rain"]
        self.assertEqual((row["kind"], row["with"], row["with_lag"]), ("product", "snow", "2"))
        self.assertRegex(self.expect(0, "lags", "a.csv", "--max-lag", "3").stdout, r"rain +river +1 step .* product with snow 2 steps\n")
        none = self.document("a.csv", "--max-lag", "3", "--effects", "changing")
        self.assertEqual(none["links"], [])
        self.assertNotIn("of their own,", self.document("a.csv", "--max-lag", "3", "--effects", "none")["promise"])
        self.assertIn("further.effects has 'bent', but must be a list of changing, product and variance, or none alone.",
                      self.expect(3, "lags", "a.csv", "--effects", "bent").stderr)

    def test_json_promises_no_rate_where_none_is_controlled(self):
        self.write("a.csv", driven())
        self.assertTrue(self.document("a.csv", "--method", "pcmci_plus")["promise"].startswith("None: "))
        granger = self.document("a.csv", "--method", "var_granger", "--lags", "2-4")
        self.assertIn("at lags 2-4 (in steps)", granger["promise"])        # it looks at no lag 0
        self.assertEqual(granger["lags"]["from"], 2)
        self.assertIn("links through other series are taken for true ones", self.document("a.csv", "--method", "cross_correlation")["promise"])
        draw = random.Random(5)
        common = [draw.gauss(0, 1) for _ in range(400)]
        self.write("hidden.csv", [[x + draw.gauss(0, .3) for _ in range(10)] for x in common], [f"s{i}" for i in range(10)])
        hidden = self.document("hidden.csv")
        self.assertTrue(hidden["promise"].startswith("None: a hidden factor moves most series"))
        found = next(finding for finding in hidden["findings"] if finding["kind"] == "hidden_factor")
        self.assertGreater(found["numbers"]["share"], found["numbers"]["least_share"])
        self.assertEqual(found["sentence"].replace("No false discovery rate can be promised: ", "None: "), hidden["promise"])
        self.assertTrue(hidden["verdict"].startswith(found["sentence"]))

    def test_json_has_recordings_and_p_values_that_a_double_cannot_hold(self):
        rows = [[name, *row] for name, seed in (("a", 1), ("b", 2)) for row in driven(900, seed)]
        for before, row in zip(rows, rows[2:]):
            row[3] = before[1] + 1e-3 * row[3]      # noise is rain, two steps later
        self.write("two.csv", rows, ("recording", "rain", "river", "noise"))
        found = self.document("two.csv", "--lags", "1-3", "--all", "--method", "pcmci")
        self.assertEqual((found["rows"], found["recordings"], len(found["series"])), (1800, 2, 3))
        small = [link for link in found["links"] if link["p_value"] == 0]
        self.assertTrue(small)
        for link in small:
            self.assertTrue(-20000 < link["log10_p"] < -300 and link["log10_p"] < (link["log10_q"] or 0) <= 0, link)
        table = self.expect(0, "lags", "two.csv", "--lags", "1-3").stdout
        self.assertRegex(table, r"rain +noise +2 steps +\S+ +[0-9.]+e-\d{3,4} ")

    def test_json_of_uneven_times_says_to_which_group_a_pair_belongs(self):
        draw, rows = random.Random(2), []
        for group in ('star "A"', "\u03b2: x"):
            for name, lag in (("driver", 0), ("echo", 4)):
                for t in sorted(draw.uniform(0, 100) for _ in range(40)):
                    rows.append([f'"{group}"'.replace('"A"', '""A""'), name, t, math.sin((t - lag) / 5) + draw.gauss(0, .05), .05])
        self.write("long.csv", rows, ("object", "series", "t", "y", "dy"))
        words = ["long.csv", "--max-lag", "6", "--set", "unrelated.draws=19", "--level", "0.05"]
        found = self.document(*words)
        self.assertEqual([pair["group"] for pair in found["pairs"]], ['star "A"', "\u03b2: x"])
        self.assertEqual([(series["group"], series["name"]) for series in found["series"]][1:3],
                         [('star "A"', "echo"), ("\u03b2: x", "driver")])
        self.assertEqual([found[key] for key in ("rows", "recordings", "step", "unit", "links", "method")],
                         [160, 2, None, None, [], "damped_random_walk"])
        self.assertEqual(found["lags"], {"from": -6, "to": 6, "unit": None, "tested": None})
        self.assertIn("at most 0.05", found["promise"])
        self.assertIn("for each of the 2 pairs alone", found["promise"])
        rows = list(csv.DictReader(io.StringIO(self.expect(0, "lags", *words, "--csv").stdout)))
        self.assertEqual([(row["group"], row["counts"] == "1") for row in rows],
                         [(pair["group"], pair["significant"]) for pair in found["pairs"]])
        self.assertTrue(self.document(*words[:-1], "0.01")["promise"].startswith("No pair can be significant: "))

    def test_mistakes_end_in_one_line(self):
        self.write("a.csv", driven())
        (self.folder / "bad.csv").write_text("a,b\n1,2\n2,x\n")
        (self.folder / "short.csv").write_text("a,b\n1,2\n2,1\n3,9\n3,2\n5,5\n")
        for code, words, sentence in [
            (4, ["bad.csv"], "fovea: bad.csv:row 3, column 'b': 'x' is not a number; leave the cell empty"),
            (4, ["short.csv"], "short.csv: has 5 steps, but lags up to 1 need at least 21; this is too short for any lag."),
            (4, ["a.csv", "--max-lag", "290"], "has 300 steps, but lags up to 290 need at least 310; give lags up to 280."),
            (4, ["none.csv"], "none.csv: there is no such file."),
            (4, ["a.csv", "--targets", "rivr"], "did you mean 'river'?"),
            (4, ["a.csv", "--columns", "rivr"], "did you mean 'river'?"),
            (4, ["a.csv", "--time", "rian"], "did you mean 'rain'?"),
            (3, ["a.csv", "--lags", "1-x"], "'x' is no lag"),
            (4, ["a.csv", "--targets", "xyz"], "has no series 'xyz' that changes; there are: 'rain', 'river', 'noise'."),
            (3, ["a.csv", "--lags", "5-2"], "fovea: --lags 5-2: lags '5-2': the range '5-2' is descending; write 2-5"),
            (3, ["a.csv", "--level", "2"], "fovea: --level 2: test.level = 2, but must be in (0, 1)"),
            (3, ["a.csv", "--method", "grangr"], "fovea: --method grangr: method.name"),
            (3, ["a.csv", "--beside", "foo"], "fovea: --beside foo: "),
            (3, ["a.csv", "--beside", "foo,var", "--beside", "pcmci"], "fovea: --beside foo,var,pcmci: "),
            (3, ["a.csv", "--level", "0.1", "--set", "test.level=3"], "fovea: --set test.level=3: the key 'test.level' is given twice."),
            (2, ["a.csv", "--max-lag", "0"], "must be a whole number >= 1"),
            (2, ["a.csv", "--max-lag", "3", "--lags", "1-3"], "give one of them"),
            (2, ["a.csv", "--json", "--csv"], "give one of them"),
            (4, ["a.csv", "--recording", "rain"], "a.csv: column 'rain' cannot tell recordings apart: it has 300 values in 300 rows, such as '"),
            (3, ["a.csv", "--forbid", "rain-river"], "'rain-river': has 0 arrows, but a link has one; write a link as"),
            (4, ["a.csv", "--forbid", "rian->river"], "a.csv: 'rian->river': there is no series 'rian' that changes; did you mean 'rain'?"),
            (4, ["a.csv", "--require", "rain->river@9", "--max-lag", "4"], "a.csv: a link is required at lag 9, but the lags tested are 1-4"),
            (2, ["a.csv", "--export", "g.png"], "fovea: --export g.png: the name must end in .graphml or .dot."),
            (2, ["a.csv", "--export", "no/g.dot"], "fovea: --export no/g.dot: there is no folder no; create it first."),
            (2, [], "'lags' takes FILE, but 0 were given"),
        ]:
            with self.subTest(words):
                self.assertIn(sentence, self.expect(code, "lags", *words).stderr)
        self.assertFalse((self.folder / "runs").exists())


if __name__ == "__main__":
    unittest.main()

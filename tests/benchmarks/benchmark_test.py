"""scripts/bench: what it writes, and that it tells a peer's wrong answer from a right one. Takes no peers."""
import argparse
import contextlib
import hashlib
import io
import json
import math
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROGRAM = os.environ["FOVEA_BENCH"]
sys.path.insert(0, str(HERE))

import cases
import command
import opinion_cases
import rounds
from ehr import cases as ehr_cases
from ehr import scores as ehr_scores
from ehr.program import Cost
from fusion import cases as fusion_cases
from fusion import map_cases, tiff
from lag import cases as lag_cases
from lag import command as lag_command
from lag import kind_cases as lag_kind_cases
from lag import known_cases as lag_known_cases
from lag import robust_cases as lag_robust_cases
from lag import scores as lag_scores
from lag import stranger_cases as lag_stranger_cases
from lag.finder import Answers, links_of_all
from particle import cases as particle_cases
from particle import program as particle_program
from peers import Peer
from record import Record, markdown, text
from worker import Cannot

KEYS = {"case", "ours", "unit", "peer", "peer_value", "ratio", "limit_share", "required", "holds"}
MAY_BE_ZERO = ("exponent", "a set", "share", "tables", "loss", "px", "wrong px")

# A peer without a library: answers with our own inputs' values, times a factor.
FAKE_PEER = """
import sys, array
print("machine version=1", flush=True)
for line in sys.stdin:
    word, *pairs = line.split()
    if word == "answer":
        values = array.array("f", open("values", "rb").read())
        for at in range(len(values)): values[at] *= {factor}
        open("answer", "wb").write(values.tobytes())
    print("time cpu=0.5 wall=0.5" if word == "run" else "ready", flush=True)
"""


def only_key():
    """Attention of one token to itself: the output is its value."""
    return {"heads": 1, "dimension": 4, "rows": 1}


def write_jets(path, jets, particles, seed):
    """In EnergyFlow's layout: jets of class 1 are wider. Files are known by what they hold, whatever they are called."""
    draw = random.Random(seed)
    def constituent(wide):
        return draw.expovariate(0.05) + 1, draw.gauss(0, 0.1 + 0.2 * wide), draw.gauss(0, 0.1 + 0.2 * wide), draw.choice((22, 211, 130))
    labels = [at % 2 for at in range(jets)]
    numbers = [number for wide in labels for _ in range(particles) for number in constituent(wide)]
    def array(shape, values):
        header = str({"descr": "<f8", "fortran_order": False, "shape": shape}).ljust(117) + "\n"
        return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}d", *values)
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("X.npy", array((jets, particles, 4), numbers))
        file.writestr("y.npy", array((jets,), labels))


class Benchmark(unittest.TestCase):
    def arena(self, folder, **peers):
        return rounds.Arena(PROGRAM, peers, folder, 1, 0.001, 0)

    def fake(self, folder, factor):
        program = pathlib.Path(folder, f"fake_{factor}.py")
        program.write_text(FAKE_PEER.format(factor=factor))
        return Peer([sys.executable, str(program)])

    def test_writes_every_figure_as_json_and_as_a_table(self):
        for subject in ("attention", "fusion", "lag", "opinion", "scale"):
            with self.subTest(subject):
                self.check_a_table_of(subject)

    def test_taggers_of_made_jets_make_a_table(self):
        with tempfile.TemporaryDirectory() as folder:
            for seed, name in enumerate(("toptag_like_train", "toptag_like_test", "qg_like_train", "qg_like_test")):
                write_jets(pathlib.Path(folder, name + ".h5"), 160, 8, seed)
            records = self.check_a_table_of("particle", "--data", folder)
        found = {record["case"]: record["ours"] for record in records}
        self.assertTrue(0 < found["top quarks: AUC"] <= 1)   # trees may part made jets altogether
        self.assertLess(found["safe tagger: parallel splits, largest change"], 1e-3)   # whatever it has learned
        self.assertGreater(len(records), 10)

    def test_members_together_are_the_mean_of_their_logits(self):
        self.assertAlmostEqual(particle_program.together([[0.5, 0.9], [0.8, 0.9]])[0], 2 / 3)   # odds of 1 and 4: 2
        self.assertAlmostEqual(particle_program.together([[0.5, 0.9], [0.8, 0.9]])[1], 0.9)
        self.assertAlmostEqual(particle_program.calibration_error([0.9, 0.1] * 50, [1, 0] * 50), 0.1)

    def test_an_earlier_build_takes_part_as_a_peer(self):
        records = self.check_a_table_of("attention", "--before", PROGRAM, "--cases", "forward, 8 heads|Gaussian|decay")
        self.assertEqual([record["case"] for record in records if record["peer"] == "ours before"],
                         list(dict.fromkeys(record["case"] for record in records if "decay" not in record["case"])))
        self.assertTrue(all(record["ratio"] > 0 for record in records if record["peer"] == "ours before"))

    def check_a_table_of(self, subject, *words):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, ROOT / "scripts" / "bench", subject, *words, "--quick", "--no-peers",
                                   "--threads", "1", "--program", PROGRAM, "--json", f"{folder}/a.json",
                                   "--markdown", f"{folder}/a.md"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            records = json.loads(pathlib.Path(folder, "a.json").read_text())
            table = pathlib.Path(folder, "a.md").read_text().splitlines()
        for record in records:
            self.assertLessEqual(KEYS, record.keys())
            self.assertIn(record["case"], done.stdout)
            self.assertTrue(record["ours"] is None or record["ours"] > 0 or record["unit"] in MAY_BE_ZERO, record)
        self.assertEqual(sum(line.startswith("| ") for line in table), len(records) + 2)   # with the heading and its rule
        return records

    def test_every_case_of_the_whole_table_has_a_name_of_its_own(self):
        both = [(subject, data) for subject in (lag_cases, fusion_cases) for data in (None, ".")]
        for subject, data in (cases, None), (opinion_cases, None), (particle_cases, "."), *both:
            names = [case.name for case in subject.all_cases(quick=False, data=data)]
            self.assertEqual(len(names), len(set(names)))

    def test_a_figure_of_radar_and_optics_is_the_mean_over_seeds_within_what_is_required(self):
        class Seed:
            def __init__(self, value):
                self.value = value
            def over(self, variable, axis):
                return {"clear": self.value + (0.02 if variable.endswith("_high") else 0)}
        row = fusion_cases.Row("clear", fusion_cases.over("x", "sky", "clear"), ">= 0.877", high=fusion_cases.over("x_high", "sky", "clear"),
                               peer="forest", peer_value=lambda said: said["s2"])
        record = row.record([Seed(0.87), Seed(0.89)], {"s2": 0.88}, "", quick=False)
        self.assertAlmostEqual(record.ours, 0.88)
        self.assertAlmostEqual(record.high, 0.90)
        self.assertEqual((record.holds, record.peer_value, record.note), (True, 0.88, "2 seeds, 0.87 to 0.89"))
        self.assertFalse(row.record([Seed(0.876)], None, "not installed", quick=False).holds)
        self.assertIn("not installed", row.record([Seed(0.876)], None, "not installed", quick=False).note)
        self.assertEqual(row.of_made_data().record([Seed(0.1)], None, "", quick=False).holds, None)
        within = fusion_cases.Bound("0.85 to 0.95").holds
        self.assertEqual([within(value) for value in (0.84, 0.85, 0.95, 0.96)], [False, True, True, False])
        self.assertEqual([fusion_cases.Bound("<= 4.1").holds(value) for value in (4.1, 4.11)], [True, False])

    def test_a_loss_under_shift_is_that_of_the_mean_direction_and_the_worst_one_may_not_fall_below_s2(self):
        class Stress:
            curves = {"shift_both": (0.90, 0.895, 0.891, 0.88), "shift_worst": (0.90, 0.89, 0.88, 0.86), "shift_s2": (0.88,) * 4,
                      "speckle_both": (0.90,), "speckle_s2": (0.88,)}
            def over(self, variable, axis):
                return {str(place): value for place, value in zip((4.0,) if axis == "looks" else (0.0, 1.0, 2.0, 3.0), self.curves[variable])}
            def scalar(self, name):
                return {"speckle_lost": 0.004}[name]
        said = {row.case: row.record([Stress()], None, "", quick=False) for row in fusion_cases.stress_rows("chip")}
        values = [(round(record.ours, 9), record.holds) for record in said.values()]
        self.assertEqual(values, [(0.005, True), (0.009, True), (0.02, False), (-0.01, True), (0.0, True), (0.02, False),
                                  (0.004, True), (-0.02, True)])
        self.assertAlmostEqual(said["chip, SAR shifted by 3 px: loss of mIoU"].high, 0.04)

    def test_a_map_with_a_pixel_too_many_or_too_few_without_data_is_found_out(self):
        maps = map_cases.Maps(None)
        with tempfile.TemporaryDirectory() as folder:
            for deflate, wrong in (True, []), (False, []), (True, [(0, 0), (400, 400)]):
                def tile_of(band, row, column):
                    data = bytearray(tiff.TILE ** 2)
                    for r in range(tiff.TILE):
                        for c in range(tiff.TILE):
                            at = row * tiff.TILE + r, column * tiff.TILE + c
                            data[r * tiff.TILE + c] = 255 if maps.inside(*at) != (at in wrong) else 1
                    return (row, column), lambda: bytes(data)
                tiff.write(pathlib.Path(folder, "made.tif"), 512, 1, "B", tile_of, ["class"], deflate)
                record = maps.hole(pathlib.Path(folder), None)
                self.assertEqual((record.ours, record.holds), (len(wrong), not wrong))
                self.assertEqual(maps.in_the_hole(pathlib.Path(folder, "made.tif")), sum(map(lambda at: maps.inside(*at), wrong)))

    def test_maps_take_turns_and_one_thread_counts_processor_time(self):
        turns, seconds = [], {"ours": iter((3.0, 1.0, 2.0)), "theirs": iter((9.0, 8.0, 7.0))}
        def way(name):
            def run():
                turns.append(name)
                return Cost(next(seconds[name]), 80)
            return run
        ours, theirs = map_cases.Clock(3).of(way("ours"), way("theirs"))
        self.assertEqual(turns, ["ours", "theirs"] * 3)
        self.assertEqual((ours.seconds, theirs.seconds, ours.cost.seconds), (2.0, 8.0, 2.0))
        self.assertEqual(ours.speed(4e6, threads=1), 2.0)
        self.assertEqual(map_cases.Timed(None, 2.0, 0.5).speed(4e6, threads=2), 8.0)   # on the wall

    def test_a_right_answer_is_measured_and_a_wrong_one_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            arena = self.arena(folder, right=self.fake(folder, 1.0), wrong=self.fake(folder, 1.01))
            ours = rounds.Entrant("ours", "fovea", 1, only_key())
            result = arena.measure([ours, rounds.Entrant("peer", "right", 1, only_key())])
            self.assertEqual(result.seconds["peer"], 0.5)
            with self.assertRaises(rounds.Mismatch):
                arena.measure([ours, rounds.Entrant("peer", "wrong", 1, only_key())])

    def test_answers_in_double_precision_are_compared_as_such(self):
        fields = {"problem": "opinion", "model": "attention", "agents": 50, "temperature": 0.01}
        program = """
import sys, array, math
print("machine version=1", flush=True)
for line in sys.stdin:
    if line.startswith("answer"):
        x = array.array("d", open("opinions", "rb").read())
        w = [[math.exp(-(a - b) ** 2 / 0.02) for b in x] for a in x]
        y = [sum(p * b for p, b in zip(row, x)) / sum(row) for row in w]
        open("answer", "wb").write(array.array("d", [{factor} * each for each in y]).tobytes())
    print("time cpu=0.5 wall=0.5" if line.startswith("run") else "ready", flush=True)
"""
        with tempfile.TemporaryDirectory() as folder:
            entrants = [rounds.Entrant("ours", "fovea", 1, fields)]
            for name, factor in ("right", 1.0), ("wrong", 1 + 1e-10):
                path = pathlib.Path(folder, f"{name}.py")
                path.write_text(program.replace("{factor}", repr(factor)))
                arena = self.arena(folder, **{name: Peer([sys.executable, str(path)])})
                both = [*entrants, rounds.Entrant(name, name, 1, fields, opinion_cases.EXACT, "double")]
                if name == "right":
                    self.assertLess(arena.measure(both).differences[name], opinion_cases.EXACT)
                else:
                    with self.assertRaises(rounds.Mismatch):
                        arena.measure(both)

    def test_a_sweep_is_as_many_iterations_as_agents_that_move_one_by_one(self):
        case = opinion_cases.Step("x", {}, beside=[opinion_cases.Beside(
            "p", "p", required=100, passes=lambda found: 1000 / found["moved"], note="moves {moved:.3g}")])
        outcome = rounds.Outcome({"p": 0.5}, {}, 1.0, 1.0, 1.0, {}, 0.0, found={"p": {"moved": "2.0"}})
        record = case.next_to(case.beside[0], 10.0, outcome, quick=False)
        self.assertEqual((record.peer_value, record.ratio, record.holds, record.note), (250000, 25000, True, "moves 2"))

    def test_links_are_scored_by_pair_and_lag(self):
        link = lambda cause, effect, lag, p=0.01, counts=True, directed=True: lag_scores.Link(cause, effect, lag, p, counts,
                                                                                              directed)
        truth = {("a", "b"): {2}, ("b", "c"): {1, 3}, ("a", "a"): {1}}
        found = [link("a", "b", 1, 0.04), link("a", "b", 2, 0.001), link("b", "c", 2), link("c", "a", 1),
                 link("c", "b", 5, counts=False), link("a", "a", 1)]
        score = lag_scores.score(found, truth, with_self=False)
        self.assertEqual((score.found, score.true, score.found_true, score.right), (3, 2, 2, 1))
        self.assertAlmostEqual(score.f1_lag(), 2 / 5)
        self.assertAlmostEqual(score.f1(), 4 / 5)
        self.assertAlmostEqual(score.lag_accuracy(), 1 / 2)
        with_self = lag_scores.score(found, truth, with_self=True)
        self.assertEqual((with_self.found, with_self.true, with_self.right), (4, 3, 2))
        both_ways = lag_scores.score([link("b", "a", 0, directed=False)], truth, with_self=False)
        self.assertEqual((both_ways.found, both_ways.found_true, both_ways.right), (2, 1, 0))

    def test_places_are_pairs_or_pairs_at_lags_and_a_link_without_direction_is_none(self):
        link = lambda cause, effect, lag, evidence, counts=True, directed=True, promised=True: lag_scores.Ranked(
            cause, effect, lag, evidence, counts, directed, counts and promised)
        truth = {("a", "b"): {1, 2}, ("b", "c"): {1}, ("a", "a"): {1}}
        links = [link("a", "b", 2, 9), link("a", "b", 3, 2), link("c", "a", 0, 5, promised=False), link("b", "c", 0, 99, directed=False),
                 link("b", "c", 1, 1, counts=False), link("a", "a", 1, 50)]
        pairs = lag_scores.places_of(links, truth, "abc")
        self.assertEqual((pairs.found, pairs.false, pairs.right, pairs.promised, pairs.promised_false, pairs.true), (2, 1, 1, 1, 0, 2))
        self.assertAlmostEqual(pairs.auroc, 7 / 8)          # 9 and 1 against 5, 0, 0, 0
        self.assertAlmostEqual(pairs.auprc, (1 + 2 / 3) / 2)
        lags = lag_scores.places_of(links, truth, "abc", longest=2)
        self.assertEqual((lags.found, lags.false, lags.right, lags.true), (3, 2, 1, 3))
        self.assertAlmostEqual(lags.auroc, (9 + 9 + 4.5) / 27)   # 9, 1, 0 against nine zeros: lags 0 and 3 are not ranked
        self.assertEqual(lag_scores.ranked(lag_scores.Link("a", "b", 1, 0.0, True, True)).evidence, lag_scores.MOST_EVIDENCE)

    def test_half_of_each_kind_of_sets_is_for_development(self):
        compass = lag_robust_cases.Benchmark("x", pathlib.Path("."), [], ())
        develops = lambda name: compass.develops(pathlib.Path(name), 0)
        self.assertTrue(develops("mixed_VAR_p10_T500.csv.gz") and develops("mixed_Lorenz_p10_T1000_F10.csv.gz"))
        self.assertFalse(develops("mixed_VAR_p10_T1000.csv.gz") or develops("mixed_Lorenz_p15_T500_F40.csv.gz"))
        places = lag_scores.Places(4, 2, 2, 2, 0, 4, 0.75, 0.5)
        sets = [lag_robust_cases.Judged("VAR mixed", True, places, True, 2.0), lag_robust_cases.Judged("VAR mixed", False, places, True, 1.0),
                lag_robust_cases.Judged("Lorenz mixed", False, lag_scores.Places(0, 0, 0, 0, 0, 4, 0.5, 0.5), False, 1.0)]
        row = lambda *fields: lag_robust_cases.Row(*fields).record("x", sets, {"VAR": sets[:1], "PCMCI": "left out"}, quick=False)
        found = row("promised", lag_robust_cases.PROMISED, ">= .5", "1")
        self.assertEqual((found.ours, found.holds, found.peer, found.peer_value), (1 / 3, False, "VAR", 0.5))
        self.assertIn("development half 0.500; examined half 0.250; PCMCI: left out", found.note)
        self.assertEqual(row("false", lag_robust_cases.FALSE, "<= .5", "", "VAR .*").holds, True)
        self.assertEqual(row("false", lag_robust_cases.FALSE, "<= .5", "", "VAR vanilla"), None)

    def test_a_table_of_strangers_is_right_only_with_all_that_is_expected(self):
        table = lag_stranger_cases.Table("x.csv", {("a", "b", 2)}, told=("equal",), no_series=("year",))
        def wrong(links, words, table=table):
            answer = self.answer(links)
            answer.said.update(promise="", notes=[words], series=[{"name": "a"}, {"name": "b"}])
            return table.wrong_of(answer)
        self.assertEqual(wrong([("a", "b", 2), ("a", "a", 1)], "Both are equal."), "")
        self.assertEqual(wrong([("a", "b", 2)], "A word."), "not named")
        self.assertEqual(wrong([("a", "b", 1)], "equal"), "1 lagged links")
        self.assertEqual(wrong([("a", "b", 2), ("a", "b", 0)], "equal"), "1 links within a step")
        shock = lag_stranger_cases.Table("y.csv", within=True)
        self.assertEqual((wrong([("a", "b", 0)], "", shock), bool(wrong([], "", shock))), ("", True))

    def test_scores_of_risks_equal_examples_by_hand_with_ties(self):
        risks, died = [0.9, 0.9, 0.5, 0.3, 0.3, 0.1], [1, 0, 1, 0, 1, 0]
        self.assertAlmostEqual(ehr_scores.auroc(risks, died), 6.0 / 9)      # pairs: .5 1 1, 0 1 1, 0 .5 1
        self.assertAlmostEqual(ehr_scores.average_precision(risks, died), 1 / 3 * (1 / 2 + 2 / 3 + 3 / 5))
        self.assertAlmostEqual(ehr_scores.brier([0.8, 0.4], [1, 1]), (0.04 + 0.36) / 2)
        sure = sorted(risk for risk in [0.1, 0.2] for _ in range(50))
        self.assertAlmostEqual(ehr_scores.calibration_error(sure, [each % 10 == 0 for each in range(100)]), 0.5 * 0.1)
        tenths = [(each // 4 + 1) / 12 for each in range(43)]               # ten of four, three are left out
        deaths = [each % 4 == 0 for each in range(43)]
        by_hand = sum((1 - 4 * p) ** 2 / (4 * p * (1 - p) + 0.001) for p in (each / 12 for each in range(1, 11)))
        self.assertAlmostEqual(ehr_scores.event_2(tenths, deaths), by_hand / (9 / 12))

    def test_a_decision_of_a_fold_takes_its_threshold_from_the_others(self):
        risks, died, folds = [0.9, 0.8, 0.2, 0.7, 0.6, 0.1], [1, 1, 0, 1, 0, 0], [0, 0, 0, 1, 1, 1]
        self.assertEqual(ehr_scores.threshold(risks, died), 0.7)
        # Fold 0 decides from .7 on: two, both right. Fold 1 decides from .8 on: none. Two of three are found, none wrongly.
        self.assertAlmostEqual(ehr_scores.event_1(risks, died, folds), 2 / 3)

    def test_a_calibration_line_finds_the_slope_that_made_the_outcomes(self):
        risks = [0.2] * 100 + [0.8] * 100
        died = [each < 40 for each in range(100)] + [each < 60 for each in range(100)]     # logits of .4 and .6
        self.assertAlmostEqual(ehr_scores.slope(risks, died), math.log(1.5) / math.log(4))

    def test_risks_that_are_exactly_right_have_a_floor_of_error_that_is_not_zero(self):
        error, event = ehr_scores.floors([each / 2000 + 0.01 for each in range(800)])
        self.assertTrue(0 < error.low < error.mean < error.high < 0.1)
        self.assertTrue(0 < event.low < event.mean < event.high)

    def test_a_score_holds_on_the_right_side_of_what_is_required(self):
        bounds = {bound.name: bound for bound in ehr_cases.BOUNDS}
        self.assertTrue(bounds["AUROC"].holds(0.88) and not bounds["AUROC"].holds(0.8799))
        self.assertTrue(bounds["event 2"].holds(30) and not bounds["event 2"].holds(30.1))
        self.assertFalse(bounds["calibration slope"].holds(1.06) or bounds["calibration slope"].holds(0.94))

    def answer(self, links, verdict="3 significant links."):
        """What the command says of links (cause, effect, lag)."""
        return lag_command.Answer({"verdict": verdict, "lags": {"to": 5}, "links": [
            {"cause": cause, "effect": effect, "lag": lag, "p_value": 0.01, "counts": True, "direction": "->" if lag else None}
            for cause, effect, lag in links]}, 0.1)

    def test_a_promise_is_kept_or_taken_back_in_the_first_sentence(self):
        back = "2 links between 3 series (false discovery rate unknown). See the notes."
        kept = "2 significant links among 3 series (FDR 5 %, lags 0 to 4.5 hours). The rate of a later sentence is unknown."
        self.assertTrue(self.answer([], back).takes_back())
        self.assertFalse(self.answer([], kept).takes_back())
        doubt = "x4 answers more than lines show, such as x3 times x5: {} promised. 31 significant links among 9 series."
        self.assertFalse(self.answer([], doubt.format("9 of 31 links are not")).takes_back())
        for all_of in "none of 31 links is", "the only link is not":
            self.assertTrue(self.answer([], doubt.format(all_of)).takes_back())

    def test_false_links_of_kept_and_of_taken_back_promises_have_limits_of_their_own(self):
        one, none = [("a", "b", 2), ("a", "b", 0), ("a", "a", 1)], []
        back = "1 link, the rate of false ones unknown."
        judged = lambda answers, **rule: lag_kind_cases.NoLinks("poisson", **rule).judged(answers, quick=False)
        self.assertTrue(judged([self.answer(none)] * 9 + [self.answer(one, back)]).holds)
        self.assertFalse(judged([self.answer(none)] * 8 + [self.answer(one)] + [self.answer(none, back)]).holds)
        self.assertFalse(judged([self.answer(one, back)] * 2, may_take_back=False).holds)
        self.assertEqual(judged([self.answer(one), self.answer(none)]).ours, 0.5)

    def test_a_pair_within_a_step_is_right_without_lagged_links_and_not_the_wrong_way(self):
        right = lag_known_cases.WithinStep.is_right
        link = lambda cause, effect, lag, directed: lag_scores.Link(cause, effect, lag, 0.01, True, directed)
        self.assertTrue(right([link("y", "x", 0, False)]))
        self.assertTrue(right([link("x", "y", 0, True)]))
        self.assertFalse(right([link("y", "x", 0, True)]))
        self.assertFalse(right([link("x", "y", 0, True), link("x", "y", 1, True)]))
        self.assertFalse(right([]))

    def test_links_with_p_values_below_the_least_number_stay_in_order(self):
        order = lambda p, log: lag_command.Answer.order({"p_value": p, "log10_p": log})
        self.assertEqual(sorted([(0.5, -0.3), (0.0, -320.0), (0.0, -400.0), (1e-300, -300.0)], key=lambda link: order(*link)),
                         [(0.0, -400.0), (0.0, -320.0), (1e-300, -300.0), (0.5, -0.3)])

    def test_uniform_values_pass_the_test_of_uniformity_and_others_do_not(self):
        even = [(i + 0.5) / 1000 for i in range(1000)]
        self.assertGreater(lag_scores.uniform_p_value(even), 0.999)
        self.assertLess(lag_scores.uniform_p_value([x ** 1.3 for x in even]), 1e-6)
        self.assertAlmostEqual(lag_scores.uniform_p_value([min(1.0, x + 0.0425) for x in even]), 0.05, delta=0.01)

    def test_a_peer_that_is_not_there_or_breaks_off_is_left_out_with_a_reason(self):
        with tempfile.TemporaryDirectory() as folder:
            arena = self.arena(folder, broken=Peer([sys.executable, "-c", "exit(3)"]))
            entrants = [rounds.Entrant(name, name, 1, only_key()) for name in ("broken", "nobody")]
            result = arena.measure([rounds.Entrant("ours", "fovea", 1, only_key()), *entrants])
        self.assertEqual(set(result.absent), {"broken", "nobody"})
        self.assertIn("broke off", result.absent["broken"])

    def test_a_peer_that_takes_too_long_is_cut_off_and_what_it_answered_is_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            arena = self.arena(folder, slow=Peer([sys.executable, "-c", "print('machine', flush=True)\nwhile True: pass"]))
            arena.limit, arena.answers = 1, Answers(f"{folder}/peers")
            tables = [pathlib.Path(folder, name) for name in ("a.csv", "b.csv")]
            for table in tables:
                table.write_text(table.name)
            with self.assertRaisesRegex(Cannot, "cut off at 1 s of the processor"):
                links_of_all(arena, "pcmci", tables, "slow")
            link = lag_scores.Link("x", "y", 1, 0.5, True, False)
            key = lambda table: ("slow", "pcmci", "[]", hashlib.sha256(table.read_bytes()).hexdigest())
            for table in tables:
                arena.answers.add(key(table), [link], 2.0)
            arena.answers = Answers(f"{folder}/peers")
            self.assertEqual(links_of_all(arena, "pcmci", tables, "slow"), [([link], 2.0)] * 2)

    def test_a_case_that_fails_leaves_the_others_and_is_run_again_and_finished_ones_are_not(self):
        runs = []
        class Case:
            def __init__(self, name):
                self.name = name
            def run(self, arena, threads, quick):
                runs.append(self.name)
                yield Record(self.name, threads, 1 / (self.name != "bad" or len(runs) > 3))
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            given = argparse.Namespace(keep=f"{folder}/kept", cases="", threads=1, quick=False, data=None, before=None)
            subjects = {"some": lambda quick, data: [Case(name) for name in ("good", "bad", "late")]}
            with unittest.mock.patch.dict(command.SUBJECTS, subjects):
                measure = lambda: command.measure_all("some", self.arena(folder), given)
                first, second = measure(), measure()
                given.data = "other"
                with self.assertRaisesRegex(SystemExit, "other programs or settings"):
                    measure()
        self.assertEqual(runs, ["good", "bad", "late", "bad"])
        self.assertEqual([(record.ours, record.note) for record in first[0]], [(1, ""), (None, "ZeroDivisionError: division by zero"), (1, "")])
        self.assertEqual([record.ours for record in second[0]], [1, 1, 1])
        self.assertEqual((first[1], second[1]), (False, True))

    def test_ours_that_cannot_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(Cannot):
            self.arena(folder).measure([rounds.Entrant("ours", "fovea", 1, {**only_key(), "pass": "sideways"})])

    def test_a_requirement_above_what_the_processor_can_do_says_so(self):
        outcome = rounds.Outcome({"ours": 2.0, "peer": 2.0}, {}, peak=1.0, pairs=1e9, rows=1, absent={}, memory=0)
        case = cases.Speed("x", {"dimension": 1}, "GFLOP/s", [cases.Against("peer", "peer", required=4.0)])
        record = case.beside(case.against[0], outcome, Record("x", 1, ours=2.0), 4.0, 3.0, 2.5, False)
        self.assertEqual(record.holds, False)
        self.assertIn("needs 8, the FMA peak here is 1.6", record.note)

    def test_a_figure_that_does_not_hold_stands_out(self):
        self.assertIn(" NO", text(Record("x", 1, ours=1.0, required=">= 2 x", holds=False)))
        self.assertIn("| NO |", markdown([Record("x", 1, holds=False)], "machine"))


if __name__ == "__main__":
    unittest.main()

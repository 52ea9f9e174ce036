"""scripts/bench nowcast: its rows and what holds, of results that are made up; and the folders that it refuses."""
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import command
import nowcast_cases
import record

MODELS = [nowcast_cases.OURS, nowcast_cases.RIDGE, nowcast_cases.STRONGEST, "Sahm's rule"]
NAN = float("nan")
GOOD = {"auroc_of": [0.991, 0.98, 0.992, 0.8], "average_precision_of": [0.86, 0.85, 0.858, NAN], "brier_of": [0.019, 0.0195, 0.0187, NAN],
        "log_loss_of": [0.09, 0.1, 0.092, NAN], "calibration_error_of": [0.03, 0.03, 0.034, NAN], "false_months": [6, 2, 8, 59],
        "brier_more": [NAN, 0.0005, -0.0003, NAN], "brier_more_low": [NAN, -0.001, -0.002, NAN],
        "brier_more_high": [NAN, 0.002, 0.001, NAN], "deletion_agreement": 0.9, "future_compared": 131.0, "checks": [1, 0],
        "auroc_around": {"1990-08": [0.97, 0.9, 0.99, 0.6], "2020-03": [0.98, 0.9, 0.98, 0.6]},
        "months_to_call": {"1990-08": [2, 1, 1, 3], "2020-03": [0, 0, 0, NAN]},
        "mean_auroc": 0.965, "mean_auroc_ridge": 0.96, "mean_auroc_eight": 0.967, "left_out_auroc": [0.9] * 9, "minutes": 8, "megabytes": 400}


class Result:
    """A finished run that says what a dictionary says."""

    def __init__(self, says):
        self.says = {**GOOD, **says}
        self.manifest = {"threads": 2, "digest": dict(zip(("checks", "failed_checks"), self.says["checks"]))}
        self.wall, self.cost = 60 * self.says["minutes"], types.SimpleNamespace(seconds=60.0, megabytes=self.says["megabytes"])

    def over(self, variable, axis):
        values = self.says.get(variable) or [value - 0.01 for value in self.says[variable.rsplit("_", 1)[0]]]   # ends of intervals
        return dict(zip(MODELS, values))

    def scalar(self, name):
        return self.says[name]

    def rows(self, variable):
        values = self.says[variable]
        if isinstance(values, dict):
            return [{"episode": episode, "model": model, variable: str(value)}
                    for episode, found in values.items() for model, value in zip(MODELS, found)]
        return [{variable: str(value)} for value in values]


def rows_of(quick=False, **says):
    """By name, of the three cases."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("fredmd.csv", "usrec.csv"):
            pathlib.Path(folder, name).touch()
        cases = nowcast_cases.all_cases(quick, folder)
        for case in cases:
            case.programs = types.SimpleNamespace(learn=lambda arena, config, settings: Result(says))
            found += [row for threads in (1, 2) for row in case.run(None, threads, quick)]
    assert len({row.case for row in found}) == len(found)   # with one thread and two: each once
    return {row.case: row for row in found}


class Nowcast(unittest.TestCase):
    def broken(self, **says):
        """The rows that do not hold."""
        return [name for name, row in rows_of(**says).items() if row.holds is False]

    def test_figures_at_their_bounds_hold_and_are_tallied(self):
        found = rows_of()
        self.assertEqual([name for name, row in found.items() if row.holds is not True], [])
        self.assertEqual(len(found), 6 + 2 * 2 + 1 + 1 + 1 + 2 + 3 + 1)
        self.assertEqual(record.tally(found.values()), "19 of 19 required hold\n")
        late = record.Record("late", 1, holds=False, note="exit code 4")
        self.assertEqual(record.tally([*found.values(), late]), "19 of 19 required hold; cases that failed: 1\n")
        self.assertEqual(record.tally([late]), "cases that failed: 1\n")
        self.assertEqual(record.tally([*rows_of(mean_auroc=0.9).values()]), "18 of 19 required hold\n")
        score = found["own lags: AUROC"]
        self.assertEqual((score.ours, score.peer_value, score.required), (0.991, 0.992, ">= 0.990"))
        self.assertEqual(score.note, "95 % 0.981 to 0.981 by drawing 2 recessions; ridge part alone 0.98; Sahm's rule 0.8")
        self.assertNotIn("Sahm", found["own lags: Brier score"].note)   # it has no probability
        self.assertIn("; a tie; ridge part alone 0.0195", found["own lags: Brier less ridge part's"].note)
        self.assertNotIn("a tie", rows_of(brier_more_low=[NAN, 0.0001, 0, 0])["own lags: Brier less ridge part's"].note)
        self.assertIn("Sahm's rule never", found["own lags: 2020-03 calls after"].note)
        self.assertIn("of 9 recessions", found["leave one out: mean AUROC"].note)

    def test_each_figure_past_its_bound_is_found_out(self):
        own = "own lags: "
        worse = lambda variable, value: {variable: [value, *GOOD[variable][1:]]}
        self.assertEqual(self.broken(**worse("auroc_of", 0.98)), [own + "AUROC"])   # a month late .970 is enough
        self.assertEqual(self.broken(**worse("auroc_of", 0.96)), [own + "AUROC", "all a month late: AUROC"])
        self.assertEqual(self.broken(**worse("average_precision_of", 0.84)), [own + "average precision"])
        self.assertEqual(self.broken(**worse("brier_of", 0.021)), [own + "Brier score"])
        self.assertEqual(self.broken(**worse("brier_of", 0.027)), [own + "Brier score", "all a month late: Brier score"])
        self.assertEqual(self.broken(**worse("log_loss_of", 0.11)), [own + "log loss"])
        self.assertEqual(self.broken(**worse("calibration_error_of", 0.036)), [own + "calibration error"])
        self.assertEqual(self.broken(**worse("false_months", 7)), [own + "false months"])
        self.assertEqual(self.broken(deletion_agreement=0.79), [own + "deletions and log-odds"])
        self.assertEqual(self.broken(mean_auroc=0.9649), ["leave one out: mean AUROC"])
        self.assertEqual(self.broken(minutes=8.1), [own + "whole run"])
        self.assertEqual(self.broken(megabytes=1001), [own + "whole run, peak memory"])
        self.assertEqual(self.broken(brier_more=[NAN, -0.0011, 0, 0]),
                         [own + "Brier less ridge part's", "all a month late: Brier less ridge part's"])

    def test_an_episode_that_is_never_called_or_not_defined_does_not_hold(self):
        found = rows_of(months_to_call={"1990-08": [NAN, 1, 1, 3], "2001-04": [3, 0, 0, 3], "2008-01": [0, 0, 2, 2]},
                        auroc_around={"1990-08": [NAN] * 4, "2001-04": [0.96, 0.9, 0.9, 0.9]})
        broken = {name: row.note for name, row in found.items() if row.holds is False}
        self.assertEqual(list(broken), [f"own lags: {what}" for what in ("1990-08 AUROC", "2001-04 AUROC", "1990-08 calls after",
                                                                               "2001-04 calls after")])
        self.assertTrue(broken["own lags: 1990-08 calls after"].startswith("never; "))
        self.assertTrue(broken["own lags: 1990-08 AUROC"].startswith("not defined"))
        json.loads(record.as_json(found.values()), parse_constant=self.fail)   # no NaN

    def test_noise_that_changes_a_nowcast_or_compares_none_does_not_hold(self):
        name = "own lags: noise after a month"
        self.assertEqual(self.broken(checks=[1, 1]), [name])
        self.assertEqual(self.broken(checks=[0, 0]), [name])
        self.assertEqual(self.broken(future_compared=0.0), [name])
        self.assertEqual(rows_of(future_compared=0.0)[name].note, "nothing was compared")

    def test_a_quick_run_judges_nothing(self):
        found = rows_of(quick=True, mean_auroc=0.1)
        self.assertEqual({row.holds for row in found.values()}, {None})
        self.assertEqual(record.tally(found.values()), "")

    def test_the_newest_panel_and_the_months_of_the_two_files_are_taken(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("fredmd_2023-12.csv", "fredmd_2024-01.csv.gz", "fredmd_2024-02.txt", "fredmd.csv", "nber_recessions.csv"):
                pathlib.Path(folder, name).touch()
            self.assertEqual([path.name for path in nowcast_cases.files(folder)], ["fredmd_2024-01.csv.gz", "nber_recessions.csv"])
            pathlib.Path(folder, "usrec.csv").touch()
            self.assertEqual(nowcast_cases.files(folder)[1].name, "usrec.csv")

    def test_one_run_has_noise_and_one_every_series_a_month_late(self):
        asked = {case.name if case.settings else case.config: case.settings for case in nowcast_cases.all_cases(False, ".")}
        self.assertEqual(asked, {"own lags": {"check.future": True}, "all a month late": {"data.lags": ("*=1",)},
                                 "leave_one_out.toml": {}})

    def refusal(self, *words):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(SystemExit) as end:
            command.parse("nowcast", list(words))
        self.assertEqual(end.exception.code, 2)
        return said.getvalue()

    def test_a_folder_without_the_files_is_refused_before_anything_is_built(self):
        self.assertIn("nowcast wants --data FOLDER", self.refusal())
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn(f"{pathlib.Path(folder).resolve()}: nowcast wants a folder with a file of FRED-MD", self.refusal("--data", folder))
            pathlib.Path(folder, "fredmd.csv").touch()
            self.assertIn("a folder with usrec.csv or nber_recessions.csv", self.refusal("--data", folder))
            self.assertIn("a file of FRED-MD", self.refusal("--data", f"{folder}/absent"))
            pathlib.Path(folder, "usrec.csv").touch()
            self.assertEqual(command.parse("nowcast", ["--data", folder]).data, folder)


if __name__ == "__main__":
    unittest.main()

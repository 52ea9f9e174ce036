"""What `scripts/bench nowcast` measures: nowcasts of recessions as they could have been known, compared with the simple models of
the same run, and recessions predicted from the others. --data FOLDER has a file of FRED-MD (fredmd*.csv or .csv.gz, the newest
by name) and the months of recessions (usrec.csv, else nber_recessions.csv). What is required is for 1985 to 2023. Each config runs
once, as its results are the same every time."""
import dataclasses
import math
import pathlib
import typing

from fusion.cases import Bound
from fusion.program import Programs
from record import Record, number
from worker import Cannot

CONFIGS = pathlib.Path(__file__).resolve().parent.parent.parent / "experiments" / "nowcast"
OURS, RIDGE, STRONGEST = "attention", "ridge part alone", "logistic, eight columns, clipped, line"
SHORT = {STRONGEST: "logistic, clipped, line"}
SCORES = {"AUROC": "auroc_of", "average precision": "average_precision_of", "Brier score": "brier_of", "log loss": "log_loss_of",
          "calibration error": "calibration_error_of", "false months": "false_months"}
PLAIN = ("calibration_error_of", "false_months")   # without an interval
OWN = {"AUROC": ">= 0.990", "average precision": ">= 0.85", "Brier score": "<= 0.020", "log loss": "<= 0.10",
       "calibration error": "<= 0.035", "false months": "<= 6"}
LATE = {"AUROC": ">= 0.970", "Brier score": "<= 0.026"}
EPISODE, CALL, MORE, AGREE, LEFT_OUT = ">= 0.97", "<= 2", "<= 0.001", ">= 0.8", ">= 0.965"
MINUTES, MEGABYTES = "<= 8", "<= 1000"


def files(folder):
    """The panel and the recessions of a folder."""
    folder = pathlib.Path(folder).resolve()
    panels = sorted(path for path in folder.glob("fredmd*") if path.name.endswith((".csv", ".csv.gz")))
    recessions = [folder / name for name in ("usrec.csv", "nber_recessions.csv") if (folder / name).is_file()]
    for found, what in (panels, "a file of FRED-MD, fredmd*.csv or fredmd*.csv.gz"), (recessions, "usrec.csv or nber_recessions.csv"):
        if not found:
            raise Cannot(f"{folder}: nowcast wants a folder with {what}; scripts/get-data list says where they are kept")
    return panels[-1], recessions[0]


def known(value):
    return value if value is not None and not math.isnan(value) else None


@dataclasses.dataclass
class Judge:
    """Makes rows of a case; quick: nothing is judged."""
    case: str
    quick: bool

    def row(self, what, value, required, note="", unit="", peer=None, low=None, high=None, threads=1):
        value, (name, peer_value) = known(value), peer or ("", None)
        holds = None if self.quick else (value is not None and Bound(required).holds(value))
        return Record(f"{self.case}: {what}", threads, value, unit, SHORT.get(name, name), known(peer_value), required=required,
                      holds=holds, note=note, low=known(low), high=known(high))


def others(values, without=None):
    """What the models say that are neither ours nor the strongest; without: a word for those without a value."""
    shown = {name: number(value) if known(value) is not None else without for name, value in values.items()}
    return "; ".join(f"{name} {value}" for name, value in shown.items() if name not in (OURS, STRONGEST) and value is not None)


def interval(run, low, high):
    recessions = len({row["episode"] for row in run.rows("auroc_around")})
    return f"95 % {number(low)} to {number(high)} by drawing {recessions} recessions; " if known(low) is not None else ""


def score_rows(judge, run, bounds):
    for what, required in bounds.items():
        variable = SCORES[what]
        values = run.over(variable, "model")
        ends = [] if variable in PLAIN else [run.over(variable + end, "model")[OURS] for end in ("_low", "_high")]
        note = (interval(run, *ends) if ends else "") + others(values)
        yield judge.row(what, values[OURS], required, note, "months" if what == "false months" else "",
                        (STRONGEST, values[STRONGEST]), *ends)


def gain_row(judge, run):
    """The Brier score less that of the ridge part alone, by drawing recessions."""
    more, low, high = (run.over("brier_more" + end, "model")[RIDGE] for end in ("", "_low", "_high"))
    note = f"{interval(run, -high, -low)}{'a tie; ' if low <= 0 <= high else ''}{RIDGE} {number(run.over('brier_of', 'model')[RIDGE])}"
    return judge.row("Brier less ridge part's", -more, MORE, note, low=-high, high=-low)


def episode_rows(judge, run):
    for what, variable, required, unit, without in (("AUROC", "auroc_around", EPISODE, "", "not defined"),
                                                    ("calls after", "months_to_call", CALL, "months", "never")):
        episodes = {}
        for row in run.rows(variable):
            episodes.setdefault(row["episode"], {})[row["model"]] = float(row[variable])
        for episode, values in episodes.items():
            note = ("" if known(values[OURS]) is not None else f"{without}; ") + others(values, without)
            yield judge.row(f"{episode} {what}", values[OURS], required, note, unit, (STRONGEST, values[STRONGEST]))


def future_row(judge, run):
    """The one check of the run: no nowcast changes where all that is known later is noise."""
    digest, compared = run.manifest["digest"], run.scalar("future_compared")
    examined = digest["checks"] == 1 and compared > 0
    return judge.row("noise after a month", digest["failed_checks"] if examined else None, "<= 0",
                     f"{compared:.0f} earlier nowcasts compared bit by bit" if examined else "nothing was compared", "failed")


def cost_rows(judge, run):
    yield judge.row("whole run", run.wall / 60, MINUTES, f"on the wall, with simple models, noise and page; "
                    f"{run.cost.seconds / 60:.1f} min of the processor", "min", threads=run.manifest["threads"])
    yield judge.row("whole run, peak memory", run.cost.megabytes, MEGABYTES, "", "MB", threads=run.manifest["threads"])


def own_rows(judge, run):
    yield from score_rows(judge, run, OWN)
    yield from episode_rows(judge, run)
    yield gain_row(judge, run)
    yield judge.row("deletions and log-odds", run.scalar("deletion_agreement"), AGREE, "rank correlation over months")
    yield future_row(judge, run)
    yield from cost_rows(judge, run)


def late_rows(judge, run):
    yield from score_rows(judge, run, LATE)
    yield gain_row(judge, run)


def left_out_rows(judge, run):
    yield judge.row("mean AUROC", run.scalar("mean_auroc"), LEFT_OUT,
                    f"{RIDGE} {number(run.scalar('mean_auroc_ridge'))}; of {len(run.rows('left_out_auroc'))} recessions", "",
                    ("logistic, clipped", run.scalar("mean_auroc_eight")))


@dataclasses.dataclass
class Case:
    """One config on the files; rows: takes a Judge and the finished run."""
    programs: Programs
    data: pathlib.Path
    name: str
    config: str
    settings: dict
    rows: typing.Callable

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        panel, recessions = files(self.data)
        settings = {"data.panel": str(panel), "data.recessions": str(recessions), **self.settings}
        yield from self.rows(Judge(self.name, quick), self.programs.learn(arena, CONFIGS / self.config, tuple(settings.items())))


def all_cases(quick, data):
    programs = Programs(None, quick, 1)
    case = lambda *words: Case(programs, data, *words)
    return [case("own lags", "recession.toml", {"check.future": True}, own_rows),
            case("all a month late", "recession.toml", {"data.lags": ("*=1",)}, late_rows),
            case("leave one out", "leave_one_out.toml", {}, left_out_rows)]

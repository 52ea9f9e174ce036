"""What `fovea lags` says, with nothing else told, of systems that break what a search presumes: CausalCompass (108 sets),
CDML (120), NetSim, Lorenz-96; `--data FOLDER` has them.

A pair counts once, at any lag, within a step only with a direction; own pasts are left out. Promised pairs are those with a
link that counts and is promised. A pair is ranked by its largest -log10 p over all that was tested. CDML knows lags: there each
(cause, effect, lag) is ranked by itself, and counted too. Shares of pairs are pooled, other figures are means over sets; `promised` is the
mean share of a set's pairs, where none is found whether the promise stands. Plain VAR: vanilla, rescaled, with trend and season, with
uneven noise. Methods were developed on one half of the sets (HALVES); the other half examines."""
import dataclasses
import pathlib
import re
import statistics

from fusion.cases import Bound
from lag import command as lag_command
from lag import scores as lag_scores
from lag.finder import links_of_all, names_of
from lag.known_cases import scored, truth_of
from record import Record
from worker import Cannot

MAKERS_LAG = 3   # which the peers are told
HALVES = {"CausalCompass": 'an odd number of "10 series", "1000 rows", "F = 10" holds', "CDML": "every other file from the first on"}


@dataclasses.dataclass
class Judged:
    """A set: generator and kind, whether it is of the development half, its pairs (at_lags: each at each lag, where lags are known),
    whether a promise is given, seconds of the processor."""
    kind: str
    develops: bool
    places: lag_scores.Places
    promises: bool
    seconds: float
    at_lags: lag_scores.Places = None

    def ranking(self):
        return self.at_lags or self.places

    def promised(self):
        return self.places.promised / self.places.found if self.places.found else float(self.promises)


def pooled(part, whole, of="places"):
    def value(sets):
        count, found = (sum(getattr(getattr(each, of), name) for each in sets) for name in (whole, part))
        return found / count if count else 0.0
    return value


def average(figure):
    return lambda sets: statistics.fmean(figure(each) for each in sets) if sets else None


FALSE_PROMISED, FALSE = pooled("promised_false", "promised"), pooled("false", "found")
RECALL, PROMISED = pooled("right", "true"), average(Judged.promised)
AUROC, AUPRC = average(lambda each: each.ranking().auroc), average(lambda each: each.ranking().auprc)
SECONDS, LONGEST = average(lambda each: each.seconds), lambda sets: max((each.seconds for each in sets), default=None)


@dataclasses.dataclass
class Row:
    """of: which sets, by generator and kind; beside: whether the peers' figures stand beside ours."""
    name: str
    value: object
    required: str
    aim: str = ""
    of: str = ""
    unit: str = ""
    beside: bool = True

    def chosen(self, sets):
        return [each for each in sets if re.fullmatch(self.of or ".*", each.kind)]

    def record(self, about, ours, peers, quick):
        """peers: name -> sets, or why there are none. None where no set is of this row."""
        sets = self.chosen(ours)
        if not sets:
            return None
        halves = [self.value(half) if half else None
                  for half in ([each for each in sets if each.develops], [each for each in sets if not each.develops])]
        words = [f"{len(sets)} sets", f"aim {self.aim}" if self.aim else ""]
        words += [f"{name} half {value:.3f}" for name, value in zip(("development", "examined"), halves) if value is not None]
        record = Record(f"{about}: {self.name}", 1, self.value(sets), self.unit, required=self.required,
                        holds=None if quick else Bound(self.required).holds(self.value(sets)))
        for name, theirs in peers.items() if self.beside else ():
            if isinstance(theirs, str):
                words.append(f"{name}: {theirs}")
            elif not self.chosen(theirs):
                words.append(f"{name}: no answer")
            elif record.peer:
                words.append(f"{name} {self.value(self.chosen(theirs)):.3f}")
            else:
                record.peer, record.peer_value = name, self.value(self.chosen(theirs))
        record.note = "; ".join(filter(None, words))
        return record


def ranking(name, of, required, aim=("", "")):
    return [Row(f"{name}: {title}", value, f">= {least}", f">= {most}" if most else "", of)
            for title, value, least, most in zip(("AUROC", "AUPRC"), (AUROC, AUPRC), required, aim)]


PLAIN = "VAR (vanilla|minmax|zscore|trendseason|nonstationary)"   # where a promise can be kept
COMPASS_ROWS = [
    Row("false among promised pairs", FALSE_PROMISED, "<= .07", "<= .05"), Row("false among all pairs", FALSE, "<= .30", "<= .20"),
    Row("plain VAR: promised", PROMISED, ">= .90", "1", PLAIN, beside=False), Row("plain VAR: recall", RECALL, ">= .75", ">= .82", PLAIN),
    Row("plain VAR: false among promised", FALSE_PROMISED, "<= .07", "<= .05", PLAIN),
    *ranking("all", "", (.915, .84), (.93, .87)),
    *ranking("VAR, trend and season", "VAR trendseason", (.98, .95), (.995, .985)),
    *ranking("Lorenz-96, vanilla", "Lorenz vanilla", (.985, .97), (.998, .995)),
    *ranking("Lorenz-96, missing", "Lorenz missing", (.90, .82), (.93, .85)),
    *ranking("Lorenz-96, binary", "Lorenz mixed", (.96, .93), (.99, .96)),
    *ranking("Lorenz-96, noisy", "Lorenz measurement-error", (.80, .68), (.83, .71)),
    *ranking("Lorenz-96, confounded", "Lorenz confounder", (.68, .50), (.71, .53)),
    *ranking("VAR, confounded", "VAR confounder", (.93, .75), (.95, .83)),
    *ranking("VAR, vanilla and rescaled", "VAR (vanilla|minmax|zscore)", (.986, .962)),
    *ranking("VAR, noisy", "VAR measurement-error", (.926, .757)), *ranking("VAR, binary", "VAR mixed", (.971, .910)),
    *ranking("VAR, missing", "VAR missing", (.950, .848)), *ranking("VAR, uneven noise", "VAR nonstationary", (.932, .829)),
    Row("seconds a set", SECONDS, "<= 1", "<= .3", unit="s"), Row("seconds, longest", LONGEST, "<= 3", unit="s")]
CDML_ROWS = [
    Row("false among promised pairs", FALSE_PROMISED, "<= .05"),
    Row("false among promised links at their lag", pooled("promised_false", "promised", "at_lags"), ""),
    Row("promised", PROMISED, ">= .80", ">= .9", beside=False), Row("recall", RECALL, ">= .48", ">= .52"), Row("AUROC of (cause, effect, lag)", AUROC, ">= .882", ">= .895"),
    Row("30 % nonlinear: AUROC", AUROC, ">= .79", ">= .82", "nonlinear30"), Row("seconds a set", SECONDS, "", unit="s")]


@dataclasses.dataclass
class Benchmark:
    """A folder of sets. by_lag: lags are known, up to the `lag` of a file's name."""
    name: str
    folder: pathlib.Path
    rows: list
    peers: tuple
    by_lag: bool = False
    failed: str = ""

    def sets(self, quick):
        """[(file, kind, whether it is of the development half)]; quick: one of that half of each kind."""
        found = [(path, self.kind(path), self.develops(path, at)) for at, path in enumerate(sorted(self.folder.glob("*.csv.gz")))]
        return list({each[1]: each for each in found if each[2]}.values()) if quick else found

    def kind(self, path):
        first, second = path.name.split("_")[:2]
        return first if self.by_lag else f"{second} {first}"

    def develops(self, path, at):
        if self.by_lag:
            return at % 2 == 0
        series, rows, force = re.search(r"_p(\d+)_T(\d+)(?:_F(\d+))?", path.name).groups()
        return [series == "10", rows == "1000", force == "10"].count(True) % 2 == 1

    def judge(self, place, ranked, names, promises, seconds):
        path, kind, develops = place
        truth = truth_of(path)
        at_lags = self.by_lag and lag_scores.places_of(ranked, truth, names, int(re.search(r"lag(\d+)", path.name).group(1)))
        return Judged(kind, develops, lag_scores.places_of(ranked, truth, names), promises, seconds, at_lags or None)

    def by_command(self, arena, sets, *options):
        answers = lag_command.search_all(arena, [path for path, _, _ in sets], "--all", *options)
        return [self.judge(place, answer.ranked(), answer.names(), answer.promises(), answer.seconds) for place, answer in zip(sets, answers)]

    def by_tigramite(self, arena, sets):
        """PCMCI with partial correlation; a pair is found where Benjamini and Hochberg's rule says so."""
        paths, failed = [path for path, _, _ in sets], []
        found = links_of_all(arena, "pcmci", paths, "tigramite", failed, max_lag=MAKERS_LAG, once=1)
        self.failed = f"; PCMCI has no answer for {len(failed)} sets ({failed[0]}), which its figures leave out" if failed else ""
        return [self.judge(place, [lag_scores.ranked(link) for link in links], names_of(place[0]), True, seconds)
                for place, (links, seconds) in zip(sets, found) if links is not None]

    def run(self, arena, threads, quick):
        sets = self.sets(quick)
        if threads != 1 or not sets:
            return
        ours, peers = self.by_command(arena, sets), {}
        ways = {"PCMCI, tigramite": self.by_tigramite,
                "VAR by t, ours": lambda *each: self.by_command(*each, "--method", "var_granger", "--max-lag", str(MAKERS_LAG))}
        for name in self.peers:
            try:
                peers[name] = ways[name](arena, sets)
            except Cannot as reason:
                peers[name] = str(reason)
        develops = sum(develops for _, _, develops in sets)
        yield Record(f"{self.name}: all", 1, len(sets), "sets",
                     note=f"development half, {develops} sets: {HALVES[self.name]}; examined half, {len(sets) - develops} sets: the others{self.failed}")
        yield from filter(None, (row.record(self.name, ours, peers, quick) for row in self.rows))


@dataclasses.dataclass
class Known:
    """NetSim and Lorenz-96 by pairs, as lag_scores.score() counts them, and the directions within a step."""
    name: str
    pattern: str
    data: pathlib.Path
    with_self: bool
    required: tuple     # of F1: required, aim
    lags: tuple = ()    # of the shares of right lags, and of right ones among directed links within a step
    directions: tuple = ()
    max_lag: int = 1    # which the peer is told

    def run(self, arena, threads, quick):
        paths = sorted(self.data.glob(self.pattern))[:1 if quick else None]
        if threads != 1 or not paths:
            return
        answers = lag_command.search_all(arena, paths)
        total, _ = scored(paths, [answer.links() for answer in answers], self.with_self)
        theirs, _ = scored(paths, [links for links, _ in links_of_all(arena, "pcmci_plus", paths, max_lag=self.max_lag)], self.with_self)
        within = [link[:2] in truth_of(path) for path, answer in zip(paths, answers) for link in answer.between()
                  if link.directed and link.lag == 0]
        title = "F1 with self-links" if self.with_self else "F1 without self-links"
        yield self.row(title, total.f1(), self.required, quick, f"{len(paths)} sets", theirs.f1())
        if self.lags:
            yield self.row("lags right", total.lag_accuracy(), self.lags, quick)
        if self.directions:
            yield self.row("directions within the step right", sum(within) / len(within) if within else None, self.directions, quick,
                           f"{sum(within)} of {len(within)}")

    def row(self, title, value, bounds, quick, note="", peer_value=None):
        return Record(f"{self.name}: {title}", 1, value, "share", "pcmci_plus, ours" if peer_value is not None else "", peer_value,
                      required=f">= {bounds[0]:g}", holds=None if quick or value is None else value >= bounds[0],
                      note="; ".join(filter(None, [note, f"aim {bounds[1]:g}"])))


def all_cases(data):
    if not data:
        return []
    return [Benchmark("CausalCompass", data / "causalcompass", COMPASS_ROWS, ("PCMCI, tigramite", "VAR by t, ours")),
            Benchmark("CDML", data / "cdml", CDML_ROWS, ("VAR by t, ours",), by_lag=True),
            Known("NetSim, fovea lags", "netsim_fmri/*.csv.gz", data, False, (0.46, 0.50), directions=(0.8, 0.9)),
            Known("Lorenz-96, fovea lags", "lorenz96/*.csv.gz", data, True, (0.875, 0.90), lags=(0.90, 0.95), max_lag=3)]

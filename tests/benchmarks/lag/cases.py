"""What `scripts/bench lag` measures: our default setting, one for all data, on data whose links are known, beside our own
writing of the peers' methods and tigramite's.

The sets may mostly not be redistributed: --data FOLDER names a folder that has them (finance, netsim_fmri,
basic_structures, lorenz96, synth, real, irregular; NAME.csv.gz beside NAME.truth.csv). Without it the cases on generated
data remain. Peers are given the longest lag of a family's makers; ours chooses it from the data."""
import dataclasses
import pathlib

from lag import command as lag_command
from lag import kind_cases as lag_kind_cases
from lag import known_cases as lag_known_cases
from lag import null_cases as lag_null_cases
from lag import pair_cases as lag_pair_cases
from lag import robust_cases as lag_robust_cases
from lag import scores as lag_scores
from lag import size_cases as lag_size_cases
from lag import stranger_cases as lag_stranger_cases
from lag.finder import OURS, links_by, links_of_all
from lag.scores import Score
from record import Record
from worker import Cannot

MEASURES = {"F1lag": (Score.f1_lag, False), "F1": (Score.f1, True), "F1 no self": (Score.f1, False)}


@dataclasses.dataclass
class Family:
    """Sets of one kind. required: of the measure; lags: the least lag accuracy; most: seconds a set; max_lag: what the
    peers are told; tigramite: which of its methods, and how many sets it gets."""
    name: str
    pattern: str
    measure: str
    required: float
    max_lag: int
    lags: float = None
    most: float = None
    before: float = None                  # what the method alone reached: the whole command may lose LOSS
    beats: str = ""                       # a method that ours must not be worse than
    methods: tuple = ("var_granger", "pcmci", "pcmci_plus")
    tigramite: tuple = ("pcmci", "pcmci_plus")
    options: dict = dataclasses.field(default_factory=dict)
    note: str = ""
    data: pathlib.Path = None

    LOSS = 0.01   # of what the command describes, holds fixed and checks beside the search

    def sets(self, quick):
        found = sorted(self.data.glob(self.pattern + ".csv.gz"))
        return found[:1] if quick else found

    def judged(self, arena, sets, method, system="fovea", **fields):
        """The family's score and the mean seconds of a set."""
        found = links_of_all(arena, method, sets, system, **fields)
        return self.scored(sets, [links for links, _ in found]), sum(took for _, took in found) / len(found)

    def scored(self, sets, found):
        return lag_known_cases.scored(sets, found, MEASURES[self.measure][1])[0]

    def value(self, total):
        return MEASURES[self.measure][0](total)

    def run(self, arena, threads, quick):
        sets = self.sets(quick)
        if threads != 1 or not sets:
            return
        ours, seconds = self.judged(arena, sets, OURS)
        records = [self.by_itself(ours, seconds, len(sets), quick), self.by_command(arena, sets, quick)]
        others = [(method, "fovea") for method in self.methods] + [(method, "tigramite") for method in self.tigramite]
        for method, system in others:
            records.append(self.beside(arena, method, system, ours, seconds, sets, quick))
        yield from records

    def by_itself(self, total, seconds, count, quick):
        value = self.value(total)
        wanted = [value >= self.required] if self.required is not None else []
        wanted += [total.lag_accuracy() >= self.lags] if self.lags else []
        wanted += [seconds <= self.most] if self.most else []
        required = f">= {self.required:g}" if self.required is not None else ""
        note = (f"{count} sets; lags right {total.lag_accuracy():.3f}{f' (>= {self.lags:g})' if self.lags else ''}; "
                f"{seconds:.3g} s a set{f' (<= {self.most:g})' if self.most else ''}")
        return Record(self.name, 1, value, self.measure, required=required,
                      holds=None if quick or not wanted else all(wanted), note="; ".join(filter(None, [note, self.note])))

    def by_command(self, arena, sets, quick):
        """What `fovea lags` answers, which does more than search."""
        answers = lag_command.search_all(arena, sets)
        total = self.scored(sets, [answer.links() for answer in answers])
        seconds = sum(answer.seconds for answer in answers) / len(answers)
        least = self.before - self.LOSS
        return Record(self.name, 1, self.value(total), self.measure, "(ours: fovea lags)", required=f">= {least:.3f}",
                      holds=None if quick else self.value(total) >= least,
                      note=f"lags right {total.lag_accuracy():.3f}; {seconds:.2g} s a set")

    def beside(self, arena, method, system, ours, seconds, sets, quick):
        name = f"{method}, ours" if system == "fovea" else f"tigramite {method}"
        fields = {"max_lag": self.max_lag, **(self.options if system == "tigramite" else {})}
        if system == "tigramite":
            fields["once"] = 1
        record = Record(self.name, 1, self.value(ours), self.measure, name)
        try:
            theirs, took = self.judged(arena, sets, method, system, **fields)
        except Cannot as reason:
            record.note = str(reason)
            return record
        record.peer_value = self.value(theirs)
        record.note = f"lags right {theirs.lag_accuracy():.3f}; {took:.3g} s a set, {took / max(seconds, 1e-9):.3g} x ours"
        if method == self.beats and system == "fovea":
            record.required = f">= {record.peer_value:.3f}"
            record.holds = None if quick else record.ours >= record.peer_value
        return record


@dataclasses.dataclass
class KnownLag:
    """One pair of series with one lag: the found lag itself."""
    name: str
    file: str
    cause: str
    effect: str
    lags: tuple
    data: pathlib.Path = None

    def run(self, arena, threads, quick):
        path = self.data / self.file
        if threads != 1 or not path.exists():
            return
        links, seconds = links_by(arena, OURS, path)
        lag = lag_scores.found_pairs(links).get((self.cause, self.effect))
        allowed = " or ".join(str(each) for each in self.lags)
        note = f"{seconds:.3g} s" + ("" if lag is not None else "; no link found")
        yield Record(self.name, 1, lag, "steps", required=allowed, holds=lag in self.lags, note=note)
        raw, _ = links_by(arena, "cross_correlation", path, max_lag=12)
        yield Record(self.name, 1, lag, "steps", "cross-correlation, ours",
                     lag_scores.found_pairs(raw).get((self.cause, self.effect)))


@dataclasses.dataclass
class SameAnswer:
    """Our writing of PCMCI beside tigramite's on one table: p-values, the links that count, seconds; and our default there."""
    name: str
    file: str
    max_lag: int
    data: pathlib.Path = None

    FASTER, P_DIFFERENCE, DEFAULT_MOST = 100, 1e-6, 0.1

    def run(self, arena, threads, quick):
        path = self.data / self.file
        if threads != 1 or not path.exists():
            return
        _, seconds = links_by(arena, OURS, path)
        yield Record(f"{self.name}, default", 1, 1e3 * seconds, "ms", required=f"<= {1e3 * self.DEFAULT_MOST:g} ms",
                     holds=None if quick else seconds <= self.DEFAULT_MOST)
        ours, seconds = links_by(arena, "pcmci", path, max_lag=self.max_lag)
        record = Record(f"{self.name}, PCMCI", 1, 1e3 * seconds, "ms", "tigramite pcmci", required=f">= {self.FASTER} x, same p")
        try:
            theirs, took = links_by(arena, "pcmci", path, "tigramite", max_lag=self.max_lag, once=1)
        except Cannot as reason:
            record.note = str(reason)
        else:
            self.compare(record, seconds, ours, took, theirs)
        yield record

    def compare(self, record, seconds, ours, took, theirs):
        lagged = lambda links: {link[:3]: link for link in links if link.lag > 0}
        ours, theirs = lagged(ours), lagged(theirs)
        difference = max(abs(ours[key].p_value - theirs[key].p_value) for key in theirs)
        others = sum(ours[key].counts != theirs[key].counts for key in theirs)
        record.peer_value, record.ratio = 1e3 * took, took / seconds
        record.holds = record.ratio >= self.FASTER and difference <= self.P_DIFFERENCE and others == 0
        record.note = f"{len(theirs)} p-values differ by {difference:.1g} at most; {others} links differ"


def families(data):
    structure = {"measure": "F1", "required": None, "max_lag": 5, "lags": 0.95, "beats": "pcmci_plus"}
    made = lambda name, pattern, required, max_lag, **more: Family(name, f"synth/{pattern}", "F1lag", required, max_lag,
                                                                   data=data, **more)
    yield Family("finance, 25 x 4000", "finance/*", "F1lag", 0.85, 3, before=0.888, lags=0.98, most=0.3, data=data,
                 tigramite=("pcmci",), methods=("var_granger", "pcmci"), note="TCDF .63, quoted from an earlier measurement")
    yield Family("diamond", "basic_structures/diamond_*", **structure, before=0.976, data=data)
    yield Family("fork", "basic_structures/fork_*", **structure, before=0.943, data=data)
    yield Family("Lorenz-96", "lorenz96/*", "F1", None, 3, before=0.851, lags=0.92, beats="pcmci_plus", data=data)
    yield Family("NetSim, with self-links", "netsim_fmri/*", "F1", 0.66, 1, before=0.689, data=data)
    yield Family("NetSim, without", "netsim_fmri/*", "F1 no self", 0.40, 1, before=0.451, data=data, tigramite=("pcmci_plus",))
    yield made("var10, 10 x 1000", "var10_*", 0.98, 10, before=0.992)
    yield made("nonlinear8, 8 x 1000", "nonlinear8_*", 0.90, 5, before=0.932)
    yield made("mid10, 10 x 300", "mid10_*", 0.78, 5, before=0.941)
    yield made("var100, 100 x 500", "var100_*", 0.92, 5, before=0.973, most=1.0, methods=("pcmci",), tigramite=("pcmci",),
               options={"pc_alpha": 0.01})
    yield made("20 % of cells missing", "missing20pct_*", 0.95, 5, before=1.0, methods=("pcmci",), tigramite=("pcmci",))


def all_cases(quick, data):
    data = data and pathlib.Path(data).resolve()
    cases = [*lag_robust_cases.all_cases(data), *lag_size_cases.all_cases(data)]
    if data:
        cases.insert(-4, lag_stranger_cases.Strangers(data.parent / "strangers3"))
        cases += families(data)
        real = lambda *fields: KnownLag(*fields, data=data)
        cases.append(real("gas furnace", "real/gas_furnace.csv.gz", "InputGasRate", "CO2", (3,)))
        cases.append(real("Southern Oscillation, recruitment", "real/soi_recruitment.csv.gz", "soi", "rec", (5, 6)))
        cases.append(SameAnswer("10 x 1000, 10 lags", "synth/var10_T1000_tau10_s0.csv.gz", 10, data))
    cases += lag_null_cases.all_cases()
    cases += lag_kind_cases.all_cases()
    cases += lag_known_cases.all_cases(data)
    cases += lag_pair_cases.all_cases(quick, data)
    return cases

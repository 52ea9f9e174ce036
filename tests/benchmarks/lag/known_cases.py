"""Drawn tables whose links are known (tests/support/kinds), and data of others with longer and longer lags: what `fovea
lags` finds there in `scripts/bench lag`. Seeds as in kind_cases.py."""
import dataclasses
import pathlib
import re

from lag import command as lag_command
from lag import scores as lag_scores
from lag.finder import links_of_all
from lag.kind_cases import mean, searched
from lag.scores import Score
from record import Record
from worker import Cannot


def truth_of(path):
    return lag_scores.read_truth(re.sub(r"\.csv(\.gz)?$", ".truth.csv", str(path)))


def scored(paths, found, with_self=False):
    """The score of all tables together, and the share of tables that are right in every link and lag."""
    total, strict = Score(), 0
    for path, links in zip(paths, found):
        each = lag_scores.score(links, truth_of(path), with_self)
        total.add(each)
        strict += each.right == each.true == each.found
    return total, strict / len(paths)


def seconds_of(answers):
    return f"{mean([answer.seconds for answer in answers]):.2g} s a set"


@dataclasses.dataclass
class LongLags:
    """Whether lags that need not be looked at do harm."""
    longest: int
    data: pathlib.Path
    required: float = 0.80
    lags: float = 0.98

    @property
    def name(self):
        return f"finance, --max-lag {self.longest}"

    def run(self, arena, threads, quick):
        paths = sorted(self.data.glob("finance/*.csv.gz"))[:1 if quick else None]
        if threads != 1 or not paths:
            return
        answers = lag_command.search_all(arena, paths, "--max-lag", str(self.longest))
        total, _ = scored(paths, [answer.links() for answer in answers])
        holds = total.f1_lag() >= self.required and total.lag_accuracy() >= self.lags
        yield Record(self.name, 1, total.f1_lag(), "F1lag", required=f">= {self.required:g}", holds=None if quick else holds,
                     note=f"{len(paths)} sets; lags right {total.lag_accuracy():.3f} (>= {self.lags:g}); {seconds_of(answers)}")


@dataclasses.dataclass
class Rivers:
    name: str = "rivers with sparse rain"
    sets: int = 10
    required: float = 0.95
    strict: float = 0.90

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        with searched(arena, "rivers", self.sets, quick) as (paths, answers):
            total, strict = scored(paths, [answer.links() for answer in answers])
        note = f"{len(paths)} tables, {total.true} links; found {total.found}, right {total.right}; {seconds_of(answers)}"
        yield Record(self.name, 1, total.f1_lag(), "F1lag", required=f">= {self.required:g}",
                     holds=None if quick else total.f1_lag() >= self.required, note=note)
        yield Record(self.name, 1, strict, "share", required=f">= {self.strict:g}",
                     holds=None if quick else strict >= self.strict, note="tables with every link and lag right and none false")


@dataclasses.dataclass
class Haemodynamic:
    """Beside PCMCI+ in the same run, which is told that lags reach to 2."""
    name: str = "50 haemodynamic-like series"
    sets: int = 10
    max_lag: int = 2

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        with searched(arena, "haemodynamic", self.sets, quick) as (paths, answers):
            yield self.beside_ours(arena, paths, answers, quick)
            yield self.beside_tigramite(arena, paths[:3], answers[:3])

    def theirs(self, arena, paths, system, **fields):
        found = links_of_all(arena, "pcmci_plus", paths, system, max_lag=self.max_lag, **fields)
        return scored(paths, [links for links, _ in found])[0]

    def beside_ours(self, arena, paths, answers, quick):
        ours, _ = scored(paths, [answer.links() for answer in answers])
        theirs = self.theirs(arena, paths, "fovea")
        return Record(self.name, 1, ours.f1(), "F1 no self", "pcmci_plus, ours", theirs.f1(),
                      required=f">= {theirs.f1():.3f}", holds=None if quick else ours.f1() >= theirs.f1(),
                      note=f"{len(paths)} sets of {ours.true / len(paths):g} links; found {ours.found}, right {ours.found_true}, "
                           f"PCMCI+ {theirs.found}, {theirs.found_true}; {seconds_of(answers)}")

    def beside_tigramite(self, arena, paths, answers):
        ours, _ = scored(paths, [answer.links() for answer in answers])
        record = Record(self.name, 1, ours.f1(), "F1 no self", "tigramite pcmci_plus", note=f"{len(paths)} of the sets")
        try:
            record.peer_value = self.theirs(arena, paths, "tigramite", once=1).f1()
        except Cannot as reason:
            record.note = str(reason)
        return record


@dataclasses.dataclass
class WithinStep:
    """y = .5 x(t) + noise, x with a memory. Right is one link within the step, with no direction or from x to y, and no
    lagged link of the two."""
    name: str = "within-step pairs, AR drivers"
    sets: int = 20
    required: int = 18

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        with searched(arena, "within_step", self.sets, quick) as (_, answers):
            pairs = [[link for link in answer.between() if {link.cause, link.effect} == {"x", "y"}] for answer in answers]
        right = sum(self.is_right(pair) for pair in pairs)
        said = sum(any(link.directed and link.cause == "x" and link.lag == 0 for link in pair) for pair in pairs)
        lagged = sum(any(link.lag > 0 for link in pair) for pair in pairs)
        others = mean([len(answer.between()) - len(pair) for answer, pair in zip(answers, pairs)])
        yield Record(self.name, 1, right, "tables", required=f">= {self.required} of {self.sets}",
                     holds=None if quick else right >= self.required,
                     note=f"x -> y said in {said}, a lagged link of the two in {lagged}; other links {others:.2g} a set")

    @staticmethod
    def is_right(pair):
        return len(pair) == 1 and pair[0].lag == 0 and not (pair[0].directed and pair[0].cause == "y")


@dataclasses.dataclass
class Effect:
    """Found: a link that counts from a true cause to y at its true lag."""
    kind: str
    required: float = None
    sets: int = 50

    @property
    def name(self):
        return f"{self.kind.replace('_', ' ')}, 6 x 800"

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        hits, others = [], []
        with searched(arena, self.kind, self.sets, quick) as (paths, answers):
            for path, answer in zip(paths, answers):
                truth = truth_of(path)
                right = [link.lag in truth.get((link.cause, link.effect), ()) for link in answer.between()]
                hits.append(any(right))
                others.append(right.count(False))
        yield Record(self.name, 1, mean(hits), "share", required=f">= {self.required:g}" if self.required else "",
                     holds=None if quick or not self.required else mean(hits) >= self.required,
                     note=f"{len(answers)} sets; other links {mean(others):.2g} a set; {seconds_of(answers)}")


def all_cases(data):
    cases = [LongLags(longest, data) for longest in (5, 10, 20, 60)] if data else []
    return [*cases, Rivers(), Haemodynamic(), WithinStep(), Effect("sign_flip", 0.8), Effect("slow_sign", 0.6),
            Effect("product_effect", 0.6), Effect("variance_effect", 0.6), Effect("sign_by_third"), Effect("sine_effect")]

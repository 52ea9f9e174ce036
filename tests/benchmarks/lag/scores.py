"""How well a list of links agrees with the truth.

A pair (cause, effect) has one lag: that of its link with the least p-value. F1lag: a pair is right only with one of its true
lags; F1: whatever the lag; counts are summed over all sets of a family. A link at lag 0 whose direction is not known
stands for both directions."""
import collections
import csv
import dataclasses
import math

from ehr.scores import auroc, average_precision

Link = collections.namedtuple("Link", "cause effect lag p_value counts directed")


def read_truth(path):
    """{(cause, effect): set of lags}; a range lag_lo .. lag_hi stands for all lags in it. Lines may end in a bare CR."""
    truth = collections.defaultdict(set)
    with open(path, newline=None, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            low, high = row.get("lag_lo") or row["lag"], row.get("lag_hi") or row["lag"]
            truth[row["cause"], row["effect"]] |= set(range(int(float(low)), int(float(high)) + 1))
    return dict(truth)


def found_pairs(links):
    """{(cause, effect): lag} of the links that count."""
    best = {}
    for link in links:
        if not link.counts:
            continue
        ways = [(link.cause, link.effect)] if link.directed else [(link.cause, link.effect), (link.effect, link.cause)]
        for way in ways:
            if way not in best or (link.p_value, link.lag) < best[way]:
                best[way] = (link.p_value, link.lag)
    return {pair: lag for pair, (_, lag) in best.items()}


@dataclasses.dataclass
class Score:
    """Counts of pairs. found_true: in the truth, whatever the lag; right: with a true lag as well."""
    found: int = 0
    true: int = 0
    found_true: int = 0
    right: int = 0

    def add(self, other):
        self.found += other.found
        self.true += other.true
        self.found_true += other.found_true
        self.right += other.right

    @staticmethod
    def ratio(part, whole):
        return part / whole if whole else 0.0

    def f1(self):
        return self.ratio(2 * self.found_true, self.found + self.true)

    def f1_lag(self):
        return self.ratio(2 * self.right, self.found + self.true)

    def lag_accuracy(self):
        return self.ratio(self.right, self.found_true)


def score(links, truth, with_self):
    keep = lambda pair: with_self or pair[0] != pair[1]
    pairs = {pair: lag for pair, lag in found_pairs(links).items() if keep(pair)}
    true = {pair: lags for pair, lags in truth.items() if keep(pair)}
    hits = [pair for pair in pairs if pair in true]
    return Score(len(pairs), len(true), len(hits), sum(pairs[pair] in true[pair] for pair in hits))


Ranked = collections.namedtuple("Ranked", "cause effect lag evidence counts directed promised")   # evidence: -log10 p
MOST_EVIDENCE = 400.0   # of a p-value of 0


def ranked(link):
    """A peer's link, whose p-value has no logarithm where it is 0; its promise covers all that count."""
    evidence = -math.log10(link.p_value) if link.p_value > 0 else MOST_EVIDENCE
    return Ranked(link.cause, link.effect, link.lag, evidence, link.counts, link.directed, link.counts)


@dataclasses.dataclass
class Places:
    """Ordered pairs of different series in one table, or (cause, effect, lag) of such; how well their evidence ranks them (None:
    all or none are true). A link without direction is none."""
    found: int
    false: int
    right: int
    promised: int
    promised_false: int
    true: int
    auroc: float
    auprc: float


def places_of(links, truth, names, longest=None):
    """longest: places are (cause, effect, lag), ranked for lags 1 to longest; not said: (cause, effect), whatever the lag."""
    evidence, found, promised = collections.defaultdict(float), set(), set()
    for link in links:
        if link.cause == link.effect or not link.directed:
            continue
        place = link[:3] if longest else link[:2]
        evidence[place] = max(evidence[place], link.evidence)
        if link.counts:
            found.add(place)
            promised |= {place} if link.promised else set()
    pairs = [(cause, effect) for cause in names for effect in names if cause != effect]
    asked = [(*pair, lag) for pair in pairs for lag in range(1, longest + 1)] if longest else pairs
    true = {(*pair, lag) if longest else pair for pair, lags in truth.items() if pair[0] != pair[1] for lag in lags}
    scores, is_true = [evidence[place] for place in asked], [int(place in true) for place in asked]
    both = 0 < sum(is_true) < len(is_true)
    return Places(len(found), len(found - true), len(found & true), len(promised), len(promised - true), len(true),
                  auroc(scores, is_true) if both else None, average_precision(scores, is_true) if both else None)


def uniform_p_value(values):
    """Of Kolmogorov's test of uniformity on [0, 1] (Stephens 1970's correction; 0 or 1 at the ends of the series)."""
    n, ordered = len(values), sorted(values)
    distance = max(max((i + 1) / n - x, x - i / n) for i, x in enumerate(ordered))
    scaled = (math.sqrt(n) + 0.12 + 0.11 / math.sqrt(n)) * distance
    if scaled < 0.2:
        return 1.0
    return min(1.0, max(0.0, 2 * sum((-1) ** (k - 1) * math.exp(-2 * (k * scaled) ** 2) for k in range(1, 101))))

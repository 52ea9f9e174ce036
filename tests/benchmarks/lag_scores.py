"""How well a list of links agrees with the truth.

A pair (cause, effect) has one lag: that of its link with the least p-value. F1lag: a pair is right only with one of its true
lags; F1: whatever the lag; counts are summed over all sets of a family. A link at lag 0 whose direction is not known
stands for both directions."""
import collections
import csv
import dataclasses

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


def uniform_p_value(values):
    """Of Kolmogorov's test of uniformity on [0, 1] (Stephens 1970's correction; 0 or 1 at the ends of the series)."""
    import math
    n, ordered = len(values), sorted(values)
    distance = max(max((i + 1) / n - x, x - i / n) for i, x in enumerate(ordered))
    scaled = (math.sqrt(n) + 0.12 + 0.11 / math.sqrt(n)) * distance
    if scaled < 0.2:
        return 1.0
    return min(1.0, max(0.0, 2 * sum((-1) ** (k - 1) * math.exp(-2 * (k * scaled) ** 2) for k in range(1, 101))))

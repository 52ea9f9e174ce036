"""Scores of risks, one function for every model; definitions as in core/statistics. No library needed.

risks: probabilities; died: 0 or 1 for each; folds: a name for each."""
import dataclasses
import itertools
import math
import random
import statistics

BINS = 10
DRAWS = 400      # of outcomes from the risks, for the noise floors
SEED = 2012


@dataclasses.dataclass
class Floor:
    """Of risks that are exactly right: mean, and 5 % and 95 % of the draws."""
    mean: float
    low: float
    high: float


@dataclasses.dataclass
class Scores:
    auroc: float
    average_precision: float
    brier: float
    calibration_error: float
    slope: float
    event_1: float
    event_2: float
    calibration_floor: Floor
    event_2_floor: Floor


def auroc(risks, died):
    """Share of the pairs (died, survived) in which who died has the higher risk; ties count half."""
    rank_sum, at, order = 0.0, 0, sorted(zip(risks, died))
    for _, tied in itertools.groupby(order, key=lambda pair: pair[0]):
        tied = [outcome for _, outcome in tied]
        rank_sum += sum(tied) * (at + (len(tied) + 1) / 2)
        at += len(tied)
    deaths = sum(died)
    return (rank_sum - deaths * (deaths + 1) / 2) / (deaths * (len(died) - deaths))


def average_precision(risks, died):
    """sum (R_k - R_(k-1)) P_k over the distinct thresholds, descending."""
    found = taken = 0
    area, deaths = 0.0, sum(died)
    for _, tied in itertools.groupby(sorted(zip(risks, died), reverse=True), key=lambda pair: pair[0]):
        tied = [outcome for _, outcome in tied]
        found, taken = found + sum(tied), taken + len(tied)
        area += sum(tied) / deaths * found / taken
    return area


def brier(risks, died):
    return sum((risk - outcome) ** 2 for risk, outcome in zip(risks, died)) / len(risks)


def sized_bins(count):
    """Bounds of ten bins of equal size of sorted cases."""
    return [round(count * each / BINS) for each in range(BINS + 1)]


def calibration_error(risks, died):
    """Cases sorted by risk, ten bins of equal size: sum n_b / n |mean risk - mean outcome|. Both must be sorted."""
    bounds = sized_bins(len(risks))
    return sum(abs(sum(risks[a:b]) - sum(died[a:b])) for a, b in zip(bounds, bounds[1:])) / len(risks)


def event_2(risks, died):
    """Hosmer and Lemeshow's H over the range of the tenths' mean risks (challenge of 2012). Both must be sorted."""
    size, total, means = len(risks) // 10, 0.0, []
    for at in range(0, 10 * size, size):
        mean = sum(risks[at:at + size]) / size
        total += (sum(died[at:at + size]) - size * mean) ** 2 / (size * mean * (1 - mean) + 0.001)
        means.append(mean)
    return total / (means[-1] - means[0])


def slope(risks, died):
    """b of the most likely line logit P = a + b logit(risk), by Newton's method."""
    logits = [math.log(risk) - math.log1p(-risk) for risk in risks]
    a, b = 0.0, 1.0
    for _ in range(50):
        fitted = [1 / (1 + math.exp(-a - b * x)) for x in logits]
        weights = [p * (1 - p) for p in fitted]
        left = [sum(y - p for y, p in zip(died, fitted)), sum((y - p) * x for y, p, x in zip(died, fitted, logits))]
        w0, w1 = sum(weights), sum(w * x for w, x in zip(weights, logits))
        w2 = sum(w * x * x for w, x in zip(weights, logits))
        step_a, step_b = ((w2 * left[0] - w1 * left[1]) / (w0 * w2 - w1 * w1),
                          (w0 * left[1] - w1 * left[0]) / (w0 * w2 - w1 * w1))
        a, b = a + step_a, b + step_b
        if abs(step_a) + abs(step_b) < 1e-10:
            break
    return b


def threshold(risks, died):
    """Where sensitivity and positive predictive value are equal: as many cases at it or above as died."""
    return sorted(risks, reverse=True)[sum(died) - 1]


def event_1(risks, died, folds):
    """min(sensitivity, positive predictive value) of decisions by thresholds that the other folds chose."""
    taken = right = 0
    for fold in set(folds):
        others = [(risk, outcome) for risk, outcome, its in zip(risks, died, folds) if its != fold]
        least = threshold(*zip(*others))
        decided = [outcome for risk, outcome, its in zip(risks, died, folds) if its == fold and risk >= least]
        taken, right = taken + len(decided), right + sum(decided)
    return min(right / sum(died), right / taken) if taken else 0.0


def floor_of(values):
    values = sorted(values)
    at = lambda share: values[min(len(values) - 1, int(share * len(values)))]
    return Floor(statistics.fmean(values), at(0.05), at(0.95))


def floors(risks):
    """Of the calibration error and of event 2, for sorted risks."""
    chance, errors, events = random.Random(SEED), [], []
    for _ in range(DRAWS):
        drawn = [chance.random() < risk for risk in risks]
        errors.append(calibration_error(risks, drawn))
        events.append(event_2(risks, drawn))
    return floor_of(errors), floor_of(events)


def scores_of(risks, died, folds):
    ordered = sorted(zip(risks, died), key=lambda pair: pair[0])
    sorted_risks, sorted_died = [pair[0] for pair in ordered], [pair[1] for pair in ordered]
    return Scores(auroc(risks, died), average_precision(risks, died), brier(risks, died),
                  calibration_error(sorted_risks, sorted_died), slope(risks, died), event_1(risks, died, folds),
                  event_2(sorted_risks, sorted_died), *floors(sorted_risks))


def folds_auroc(risks, died, folds):
    """Mean and deviation over the folds."""
    each = []
    for fold in sorted(set(folds)):
        mine = [(risk, outcome) for risk, outcome, its in zip(risks, died, folds) if its == fold]
        each.append(auroc(*zip(*mine)))
    return statistics.fmean(each), statistics.stdev(each)

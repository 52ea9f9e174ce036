"""scikit-learn's gradient boosting on summary numbers of records over years: nafld_peer.py FOLDER ANSWER.json [--quick]

Of each test its mean, extremes, last value, number and age of the last; of each diagnosis its number and the age of the first; statics."""
import csv
import gzip
import json
import pathlib
import sys
import time

import numpy
from sklearn.ensemble import HistGradientBoostingClassifier

STATICS, MISSING = ("age", "male", "weight", "height", "bmi"), float("nan")


def rows_of(path):
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def records(folder):
    """id -> variable -> (day, value) of events until the index date, None where there is none."""
    found = {}
    for row in rows_of(folder / "events.csv.gz"):
        day, value = (float(row[name]) if row[name] else None for name in ("days", "value"))
        if day is None or day <= 0:
            found.setdefault(row["id"], {}).setdefault(row["variable"], []).append((day, value))
    return found


def of_test(events):
    if not events:
        return [MISSING] * 4 + [0, MISSING]
    values = [value for _, value in events]
    return [sum(values) / len(values), min(values), max(values), values[-1], len(values), -events[-1][0]]


def columns(record, tests, diagnoses):
    row = [record[name][0][1] if name in record else MISSING for name in STATICS]
    for name in tests:
        row += of_test(sorted(record.get(name, []), key=lambda event: event[0]))
    for name in diagnoses:
        days = [day for day, _ in record.get(name, [])]
        row += [len(days), -min(days) if days else MISSING]
    return row


def main(folder, answer, quick):
    folder = pathlib.Path(folder)
    outcomes = {row["id"]: row["death_within_5y"] for row in rows_of(folder / "outcomes.csv")}
    folds, found = {row["id"]: int(row["fold"]) for row in rows_of(folder / "folds.csv")}, records(folder)
    tests = sorted({name for record in found.values() for name, events in record.items() if name not in STATICS and events[0][1] is not None})
    diagnoses = sorted({name for record in found.values() for name, events in record.items() if events[0][1] is None})
    ids = sorted(folds, key=int)
    x = numpy.array([columns(found.get(each, {}), tests, diagnoses) for each in ids], dtype=float)
    y, fold = numpy.array([int(outcomes[each]) for each in ids]), numpy.array([folds[each] for each in ids])
    risks, seconds = numpy.empty(len(ids)), []
    for number in numpy.unique(fold):
        begun, tested = time.process_time(), fold == number
        model = HistGradientBoostingClassifier(learning_rate=0.03, max_iter=10 if quick else 150, max_leaf_nodes=15, min_samples_leaf=40,
                                               l2_regularization=5, early_stopping=False, random_state=2012)
        risks[tested] = model.fit(x[~tested], y[~tested]).predict_proba(x[tested])[:, 1]
        seconds.append(time.process_time() - begun)
    with open(answer, "w", encoding="utf-8") as file:
        json.dump({"risks": risks.tolist(), "died": y.tolist(), "folds": fold.tolist(), "seconds": seconds}, file)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], "--quick" in sys.argv)

"""Peers that learn a risk from summary numbers, in a Python with LightGBM, scikit-learn and DuckDB:

    peer.py learn FOLDER ANSWER.json [--quick]     risks out of fold, and processor seconds of each fold
    peer.py read FILE                              DuckDB: rows, and processor seconds of reading them with one thread
"""
import importlib.metadata
import json
import sys
import time

import duckdb
import numpy

HOURS = (6, 12, 24)
SEED = 2012


def logit(risk):
    return numpy.log(risk) - numpy.log1p(-risk)


def lightgbm(rounds):
    import lightgbm as library
    settings = {"objective": "binary", "learning_rate": 0.02, "num_leaves": 15, "min_data_in_leaf": 40, "lambda_l2": 5,
                "feature_fraction": 0.3, "bagging_fraction": 0.8, "bagging_freq": 1, "num_threads": 1, "seed": SEED,
                "verbose": -1, "deterministic": True, "force_col_wise": True}

    def fitted(x, y, tested):
        return library.train(settings, library.Dataset(x, y), rounds).predict(tested)
    return fitted


def logistic(x, y, tested):
    """On numbers within the training part's 1 to 99 %, in its deviations, a missing one at 0, with marks of what is missing."""
    from sklearn.linear_model import LogisticRegression
    marks = numpy.unique(numpy.isnan(x), axis=1, return_index=True)[1]
    low, high = numpy.nanpercentile(x, [1, 99], axis=0)
    clipped = numpy.clip(x, low, high)
    mean, deviation = numpy.nanmean(clipped, axis=0), numpy.nanstd(clipped, axis=0) + 1e-9

    def columns(numbers):
        scaled = (numpy.clip(numbers, low, high) - mean) / deviation
        return numpy.hstack([numpy.nan_to_num(scaled), numpy.isnan(numbers[:, marks])])
    return LogisticRegression(C=0.01, max_iter=500).fit(columns(x), y).predict_proba(columns(tested))[:, 1]


def out_of_fold(fit, x, events, name):
    """Each stay's risk by a model of the other folds, and processor seconds of each fold."""
    risks, seconds = numpy.empty(len(x)), []
    for fold in numpy.unique(events.folds):
        tested = events.folds == fold
        begun = time.process_time()
        risks[tested] = fit(x[~tested], events.died[~tested], x[tested])
        seconds.append(time.process_time() - begun)
    print(f"peer: {name}, {sum(seconds):.0f} s of processor time", file=sys.stderr, flush=True)
    return {"risks": risks.tolist(), "seconds": seconds}


def blend(parts):
    risks = 1 / (1 + numpy.exp(-sum(logit(numpy.array(part["risks"])) for part in parts) / len(parts)))
    return {"risks": risks.tolist(), "seconds": [sum(each) for each in zip(*(part["seconds"] for part in parts))]}


def learn(folder, answer, quick):
    import features
    events, trees = features.Events(folder), lightgbm(20 if quick else 600)
    summary, decay = features.summary(events), features.decay(events)
    models = {"logistic, decay": out_of_fold(logistic, decay, events, "logistic regression, decay features"),
              "LightGBM, summary": out_of_fold(trees, summary, events, "LightGBM, summary features"),
              "LightGBM, decay": out_of_fold(trees, decay, events, "LightGBM, decay features")}
    models["blend"] = blend(list(models.values()))
    hours = {hour: out_of_fold(trees, features.summary(events, hour), events, f"LightGBM for hour {hour}") for hour in HOURS}
    versions = {name: importlib.metadata.version(name) for name in ("lightgbm", "scikit-learn", "numpy", "duckdb")}
    with open(answer, "w", encoding="utf-8") as file:
        json.dump({"versions": versions, "died": events.died.tolist(), "folds": events.folds.tolist(), "models": models,
                   "hours": hours, "columns": {"summary": summary.shape[1], "decay": decay.shape[1]}}, file)


def read(path):
    connection = duckdb.connect(config={"threads": 1})
    begun = time.process_time()
    connection.execute("create table events as select * from read_csv(?)", [path])
    seconds = time.process_time() - begun
    rows = connection.execute("select count(*) from events").fetchone()[0]
    print(json.dumps({"rows": rows, "seconds": seconds, "version": duckdb.__version__}))


if __name__ == "__main__":
    if sys.argv[1] == "read":
        read(sys.argv[2])
    else:
        learn(sys.argv[2], sys.argv[3], "--quick" in sys.argv)

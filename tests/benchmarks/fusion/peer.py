"""Random forests on stacked bands, and canonical correlation of patches:  peer.py TASK FOLDER ANSWER.json [--quick]

Tasks: flood, fields, pixels, moisture, match; series and samples write files for others. Splits are those of the data; nothing
of the tested part is learned from."""
import json
import pathlib
import sys

import h5py
import numpy
import sklearn
import tifffile
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

TRAINING, TEST = 0, 1


def forest(trees, seed=0):
    return RandomForestClassifier(trees, n_jobs=2, random_state=seed)


def mean_iou(truth, said):
    scores = []
    for label in numpy.unique(truth):
        hit = numpy.sum((truth == label) & (said == label))
        scores.append(hit / numpy.sum((truth == label) | (said == label)))
    return float(numpy.mean(scores))


def macro_f1(truth, said):
    scores = []
    for label in numpy.unique(truth):
        hit = numpy.sum((truth == label) & (said == label))
        scores.append(2 * hit / (numpy.sum(truth == label) + numpy.sum(said == label)))
    return float(numpy.mean(scores))


def box_mean(image, side):
    """Means over squares of a picture, which is continued by its edge."""
    reach = side // 2
    wide = numpy.pad(image, reach, mode="edge").astype(float)
    sums = numpy.zeros((wide.shape[0] + 1, wide.shape[1] + 1))
    sums[1:, 1:] = wide.cumsum(0).cumsum(1)
    return (sums[side:, side:] - sums[:-side, side:] - sums[side:, :-side] + sums[:-side, :-side]) / side ** 2


def read_bands(path):
    image = tifffile.imread(path)
    return image if image.ndim == 3 and image.shape[0] < image.shape[2] else numpy.moveaxis(numpy.atleast_3d(image), 2, 0)


def chip(folder):
    base = folder / "sen1floods11_spain"
    s1, s2 = (read_bands(base / f"Spain_7370579_{kind}Hand.tif").astype(float) for kind in ("S1", "S2"))
    single = lambda name: read_bands(base / name)[0]
    return s1, s2, single("Spain_7370579_LabelHand.tif"), single("split.tif"), single("synthetic_cloud45.tif")


def columns(bands, context=True):
    layers = [*bands, *(box_mean(band, 5) for band in bands)] if context else list(bands)
    return numpy.stack(layers, -1).reshape(-1, len(layers))


def flood(folder, quick):
    s1, s2, labels, split, cloud = chip(folder)
    labels, split, cloud = labels.ravel(), split.ravel(), cloud.ravel() == 1
    learned = numpy.flatnonzero((split == TRAINING) & (labels >= 0))
    learned = numpy.random.RandomState(0).choice(learned, 2000 if quick else 40000, replace=False)
    tested = numpy.flatnonzero((split == TEST) & (labels >= 0))
    answers = {}
    for name, x in ("s1", columns(s1)), ("s2", columns(s2, False)), ("both", columns([*s1, *s2], False)):
        model = forest(5 if quick else 100).fit(x[learned], labels[learned])
        answers[name] = model.predict(x[tested])
    truth, below = labels[tested], cloud[tested]
    switch = numpy.where(below, answers["s1"], answers["s2"])
    return {**{name: mean_iou(truth, said) for name, said in answers.items()}, "switch": mean_iou(truth, switch),
            "switch below": mean_iou(truth[below], switch[below])}


def filled(series):
    """Forward, then backward, then by the mean of the column; [field, date, band]."""
    for dates in (range(1, series.shape[1]), range(series.shape[1] - 2, -1, -1)):
        step = 1 if dates.step > 0 else -1
        for date in dates:
            gap = numpy.isnan(series[:, date])
            series[:, date][gap] = series[:, date - step][gap]
    return numpy.nan_to_num(series.reshape(len(series), -1), nan=0.0)


def fields(folder, quick):
    with h5py.File(folder / "crops_fra2023_dekad.h5") as file:
        s1, s2, label, fold = (file[name][:] for name in ("s1", "s2", "class4", "fold"))
    s1, s2 = (numpy.where(series == 65535, numpy.nan, series.astype(float)) for series in (s1, s2))
    frequent = numpy.isin(label, [each for each in numpy.unique(label) if numpy.sum(label == each) >= 25])
    inputs = {"s1": filled(s1.copy()), "s2": filled(s2.copy())}
    inputs["both"] = numpy.hstack([inputs["s1"], inputs["s2"]])
    found = {}
    for name, x in inputs.items():
        accuracy, f1 = [], []
        for seed in range(1 if quick else 3):
            said = numpy.zeros_like(label)
            for one in numpy.unique(fold):
                learned, tested = frequent & (fold != one), frequent & (fold == one)
                said[tested] = forest(5 if quick else 300, seed).fit(x[learned], label[learned]).predict(x[tested])
            accuracy.append(float(numpy.mean(said[frequent] == label[frequent])))
            f1.append(macro_f1(label[frequent], said[frequent]))
        found[name] = [float(numpy.mean(accuracy)), float(numpy.mean(f1))]
    return found


def monthly(values, times, clear, count):
    """Medians of the clear dates of S2, means of S1, in windows of thirty days; gaps filled in time."""
    start = times.min()
    window = ((times - start) // (30 * 86400)).astype(int)
    layers = []
    for month in range(count):
        here = numpy.where(clear[window == month][:, None], values[window == month], numpy.nan)
        layers.append(numpy.nanmedian(here, 0) if len(here) else numpy.full(values.shape[1:], numpy.nan))
    series = numpy.stack(layers)
    series = numpy.moveaxis(series.reshape(count, series.shape[1], -1), 2, 0)
    return filled(series)


def pixels(folder, quick):
    import warnings
    warnings.simplefilter("ignore")
    with h5py.File(folder / "wc_be_2018_31UDS.h5") as file:
        repeat = lambda images: images.repeat(2, -1).repeat(2, -2)
        s2 = numpy.concatenate([file["s2/r10m"][:].astype(float), repeat(file["s2/r20m"][:].astype(float))], 1)
        scl, s1 = repeat(file["s2/scl"][:]), repeat(file["s1/db"][:].astype(float))
        t1, t2 = file["s1/time"][:], file["s2/time"][:]
        split, maps = file["split"][:].ravel(), {name: file["label"][name][:].ravel() for name in ("LC", "CT")}
    inputs = {"s1": monthly(s1, t1, ~numpy.isnan(s1).any(1), 16),
              "s2": monthly(s2, t2, numpy.isin(scl, (4, 5, 6, 7)) & (s2 > 0).all(1), 16)}
    inputs["both"] = numpy.hstack([inputs["s1"], inputs["s2"]])
    found = {}
    for label, truth in maps.items():
        for name, x in inputs.items():
            learned, tested = (split == TRAINING) & (truth > 0), (split == TEST) & (truth > 0)
            said = forest(5 if quick else 200).fit(x[learned], truth[learned]).predict(x[tested])
            found[f"{label} {name}"] = [float(numpy.mean(said == truth[tested])), mean_iou(truth[tested], said)]
    return found


def moisture(folder, quick):
    with h5py.File(folder / "fuel_moisture.h5") as file:
        x, y, test = file["x"][:], file["y"][:], file["is_test"][:] == 1
        more = [file[name][:].reshape(len(y), -1) for name in ("dynamic_world", "month", "latlon")]
    x = numpy.hstack([x.reshape(len(y), -1), *more])
    said = RandomForestRegressor(5 if quick else 200, random_state=0, n_jobs=2).fit(x[~test], y[~test]).predict(x[test])
    return {"rmse": float(numpy.sqrt(numpy.mean((said - y[test]) ** 2)))}


def patch_columns(layers, corners):
    """Means and deviations of 4 x 4 parts of patches of 16 x 16 pixels."""
    rows = []
    for row, column in corners:
        part = layers[:, row:row + 16, column:column + 16].reshape(len(layers), 4, 4, 4, 4).transpose(0, 1, 3, 2, 4)
        part = part.reshape(len(layers), 16, 16)
        rows.append(numpy.concatenate([part.mean(-1).ravel(), part.std(-1).ravel()]))
    return numpy.array(rows)


def match(folder, quick):
    s1, s2, _, split, _ = chip(folder)
    radar = numpy.stack([s1[0], s1[1], s1[0] - s1[1]])
    bands = numpy.log(numpy.maximum(s2[[1, 2, 3, 7, 8, 11, 12]], 1))
    index = lambda a, b: (s2[a] - s2[b]) / numpy.maximum(s2[a] + s2[b], 1)
    optical = numpy.stack([*bands, index(7, 3), index(2, 7), index(7, 11)])
    whole = lambda side, step: [(r, c) for r in range(0, split.shape[0] - 15, step) for c in range(0, split.shape[1] - 15, step)
                                if numpy.all(split[r:r + 16, c:c + 16] == side)]
    learned, tested = whole(TRAINING, 16 if quick else 4), whole(TEST, 16)
    x, y, u, v = (patch_columns(layers, corners) for corners in (learned, tested) for layers in (radar, optical))
    for a, b in ((x, u), (y, v)):
        mean, deviation = a.mean(0), a.std(0) + 1e-9
        a -= mean; a /= deviation; b -= mean; b /= deviation
    root = lambda a: numpy.linalg.inv(numpy.linalg.cholesky(a.T @ a / len(a) + 0.3 * numpy.eye(a.shape[1]))).T
    left, right = root(x), root(y)
    turned, sizes, other = numpy.linalg.svd(left.T @ (x.T @ y / len(x)) @ right)
    a, b = u @ left @ turned[:, :32] * sizes[:32], v @ right @ other[:32].T * sizes[:32]
    unit = lambda rows: rows / numpy.linalg.norm(rows, axis=1, keepdims=True)
    scores = unit(a) @ unit(b).T
    rank = lambda s: numpy.sum(s > numpy.diag(s)[:, None], 1)
    recall = lambda ranks, k: float(numpy.mean(ranks < k))
    return {"patches": len(tested), **{f"{way} {k}": recall(rank(s), k) for way, s in (("there", scores), ("back", scores.T)) for k in (1, 10)}}


def series(folder, quick):
    """Writes fields of twelve dates, those of the sample again and again."""
    path, times = pathlib.Path(sys.argv[3]).with_name("series.h5"), 2 if quick else 40
    with h5py.File(folder / "crops_fra2023_dekad.h5") as file, h5py.File(path, "w") as made:
        dates = slice(0, 48, 4)
        for name in ("s1", "s2"):
            made[name] = numpy.tile(file[name][:, dates], (times, 1, 1))
            for key, value in file[name].attrs.items():
                made[name].attrs[key] = value
        made["time"] = file["time"][dates]
        return {"path": str(path), "series": len(made["s2"])}


def samples(folder, quick):
    """Writes pixels that teach as points with the numbers of their bands, which Orfeo ToolBox learns from."""
    s1, s2, labels, split, _ = chip(folder)
    bands = numpy.concatenate([s1, s2])
    names, draw, features = [f"b{k + 1}" for k in range(len(bands))], numpy.random.RandomState(0), []
    for water in 0, 1:
        rows, across = numpy.nonzero((split == TRAINING) & (labels == water))
        for k in draw.choice(len(rows), 500 if quick else 20000, replace=False):
            r, c = int(rows[k]), int(across[k])
            features.append({"type": "Feature", "geometry": {"type": "Point", "coordinates": [c * 1e-4, -r * 1e-4]},
                             "properties": {"water": water, **dict(zip(names, map(float, bands[:, r, c])))}})
    path = pathlib.Path(sys.argv[3]).with_name("samples.geojson")
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}), encoding="utf-8")
    return {"path": str(path), "features": names}


def main():
    task, folder, answer = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    tasks = {"flood": flood, "fields": fields, "pixels": pixels, "moisture": moisture, "match": match,
             "series": series, "samples": samples}
    found = tasks[task](folder, "--quick" in sys.argv)
    found["versions"] = {"scikit-learn": sklearn.__version__}
    answer.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()

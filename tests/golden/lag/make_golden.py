#!/usr/bin/env python3
"""Makes pcmci_data_N.csv and pcmci_golden.csv: made systems (numpy, seeds below) and what tigramite 5.2.10.1 (PyPI, GPL-3;
Runge et al. 2019, Runge 2020) finds in them with its defaults: run_pcmci(tau_min=0), run_pcmciplus(), ParCorr().
Only these results are kept here, none of its code. Run in this folder: python3 make_golden.py"""
import csv

import numpy as np
import tigramite.data_processing as pp
from tigramite.independence_tests.parcorr import ParCorr
from tigramite.pcmci import PCMCI

SETS = [dict(seed=1, series=4, steps=150, last=3, lagged=5, at_once=4),
        dict(seed=2, series=6, steps=120, last=2, lagged=8, at_once=7)]


def system(seed, series, steps, last, lagged, at_once):
    """x(t) = A0 x(t) + sum_l A_l x(t - l) + e: memories of .5, other links of +-.3 at random places, lag 0 without a circle"""
    random = np.random.default_rng(seed)
    a = np.zeros((last + 1, series, series))
    a[1] = 0.5 * np.eye(series)
    for _ in range(lagged):
        cause, effect = random.choice(series, 2, replace=False)
        a[random.integers(1, last + 1), effect, cause] = 0.3 * random.choice([-1, 1])
    order = random.permutation(series)
    for _ in range(at_once):
        first, second = sorted(random.choice(series, 2, replace=False))
        a[0, order[second], order[first]] = 0.4 * random.choice([-1, 1])
    mixing = np.linalg.inv(np.eye(series) - a[0])
    x = np.zeros((steps + 200, series))
    for t in range(last, steps + 200):
        x[t] = mixing @ (random.normal(size=series) + sum(a[lag] @ x[t - lag] for lag in range(1, last + 1)))
    return x[200:].round(6)


with open("pcmci_golden.csv", "w", newline="") as file:
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(["set", "method", "cause", "effect", "lag", "strength", "p_value", "mark"])
    for number, settings in enumerate(SETS, 1):
        x = system(**settings)
        np.savetxt(f"pcmci_data_{number}.csv", x, delimiter=",", fmt="%.6f",
                   header=",".join(f"x{i}" for i in range(x.shape[1])), comments="")
        for method in ["pcmci", "pcmci_plus"]:
            search = PCMCI(pp.DataFrame(x.copy()), ParCorr(), verbosity=0)
            run = search.run_pcmci if method == "pcmci" else search.run_pcmciplus
            found = run(tau_min=0, tau_max=settings["last"])
            for effect in range(x.shape[1]):
                for cause in range(x.shape[1]):
                    for lag in range(settings["last"] + 1):
                        if lag > 0 or cause < effect:
                            at = (cause, effect, lag)
                            rows.writerow([number, method, *at, f"{found['val_matrix'][at]:.12g}",
                                           f"{found['p_matrix'][at]:.12g}", found["graph"][at] or "none"])

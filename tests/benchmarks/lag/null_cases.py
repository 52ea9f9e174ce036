"""Where there is nothing to find: how often `scripts/bench lag` finds something, and whether p-values are uniform."""
import array
import dataclasses
import pathlib

from lag.scores import uniform_p_value
from record import Record
from rounds import Entrant

MOST_FALSE = 0.05      # links a set
LEAST_P = 0.01         # of Kolmogorov's test of 1000 p-values


def looked_through(arena, threads, fields):
    """[(links that count, p-value of one link drawn without looking)] of each set, and seconds a set."""
    worker = arena.start(Entrant("ours", "fovea", threads, fields))
    try:
        ready = worker.ask("prepare", problem="lag_null", **fields)   # a pass: it is what is written
        worker.ask("write", folder=arena.folder)
    finally:
        worker.close()
    numbers = array.array("d", pathlib.Path(arena.folder, "null").read_bytes())
    return list(zip(numbers[::2], numbers[1::2])), float(ready["rows"])


@dataclasses.dataclass
class FalseLinks:
    name: str
    fields: dict

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        sets, _ = looked_through(arena, 2, {**self.fields, **({"sets": 2} if quick else {})})
        rate = sum(count for count, _ in sets) / len(sets)
        with_any = sum(count > 0 for count, _ in sets)
        yield Record(self.name, 1, rate, "a set", required=f"<= {MOST_FALSE}", holds=None if quick else rate <= MOST_FALSE,
                     note=f"{len(sets)} generated sets, {with_any} with a false link; by the rule 5 % may have one")


@dataclasses.dataclass
class UniformPValues:
    name: str
    fields: dict

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        sets, _ = looked_through(arena, 2, {**self.fields, **({"sets": 20} if quick else {})})
        p_values = [p for _, p in sets]
        holds = uniform_p_value(p_values)
        below = sum(p <= 0.05 for p in p_values) / len(p_values)
        yield Record(self.name, 1, holds, "p of KS", required=f"> {LEAST_P}", holds=None if quick else holds > LEAST_P,
                     note=f"{len(p_values)} generated sets, one link of each; {100 * below:.1f} % are below .05")


def all_cases():
    small = {"sets": 1000, "series": 4, "steps": 400}
    return [FalseLinks("no links, 20 x 1000: false links", {"sets": 500, "series": 20, "steps": 1000, "autocorrelation": 0.9}),
            UniformPValues("p-values, autocorrelation 0", {**small, "autocorrelation": 0.0}),
            UniformPValues("p-values, autocorrelation .95", {**small, "autocorrelation": 0.95}),
            UniformPValues("p-values, heavy tails (t of 3)", {**small, "autocorrelation": 0.5, "degrees": 3}),
            UniformPValues("p-values, both", {**small, "autocorrelation": 0.95, "degrees": 3})]

"""The cases of `scripts/bench attention`: what is computed, by whom, and what is required of us.

The limit is a cost model. A core that starts two 512-bit FMA a cycle spends, on 16 scores, (d + dv) / 2 cycles on the two
products of the forward pass and 2.5 times that on the five of the backward pass, 5 on the exponential and 1.5 on scaling,
maximum and sum. It is brought to the machine at hand by its measured FMA peak, 64 FLOP being such a cycle.
"""
import dataclasses
import math

from record import Record
from rounds import Entrant
from worker import Cannot

PRODUCTS = {"forward": 1.0, "backward": 2.5, "both": 3.5}
OVERHEADS = {"forward": 6.5, "backward": 6.5, "both": 13.0}


@dataclasses.dataclass
class Against:
    """A peer, what is asked of it, and the ratio required (None: for information). share: its part of our work."""
    name: str
    system: str
    fields: dict = dataclasses.field(default_factory=dict)
    required: float = None
    share: float = 1.0


def judged(ratio, required, quick):
    return None if required is None or ratio is None or quick else ratio >= required


@dataclasses.dataclass
class Speed:
    """Work in a time, ours against peers."""
    name: str
    fields: dict
    unit: str
    against: list
    peak_required: float = None
    gains: dict = dataclasses.field(default_factory=dict)   # instruction set -> what is required of it over an earlier build

    def gain_required(self, instructions):
        return self.gains.get(instructions or "avx512", 0.98)

    def width(self):
        return int(self.fields["dimension"]) + int(self.fields.get("value_dimension", self.fields["dimension"]))

    def flops(self, pairs):
        return 2 * self.width() * PRODUCTS[self.fields.get("pass", "forward")] * pairs

    def limit(self, pairs, peak):
        """Seconds that the model allows."""
        kind = self.fields.get("pass", "forward")
        cycles = self.width() / 2 * PRODUCTS[kind] + OVERHEADS[kind]
        return pairs / 16 * cycles / (peak * 1e9 / 64)

    def work(self, pairs):
        return {"GFLOP/s": self.flops(pairs) / 1e9, "Gpairs/s": pairs / 1e9, "sets/s": self.fields.get("sets")}[self.unit]

    def run(self, arena, threads, quick):
        entrants = [Entrant("ours", "fovea", threads, self.fields)]
        entrants += [Entrant(a.name, a.system, threads, {**self.fields, **a.fields}) for a in self.against]
        result = arena.measure(entrants)
        ours, work = result.seconds["ours"], self.work(result.pairs)
        limit, at_peak = self.limit(result.pairs, result.peak), self.flops(result.pairs) / (result.peak * 1e9)
        shared = {"ours": work / ours, "unit": self.unit, "peak_share": at_peak / ours, "limit_share": limit / ours}
        for against in self.against:
            yield self.beside(against, result, Record(self.name, threads, **shared), work, limit, at_peak, quick)
        if self.peak_required:
            yield Record(self.name, threads, **shared, peer="FMA peak", peer_value=work / at_peak, ratio=at_peak / ours,
                         required=f">= {self.peak_required:.2g} x", holds=judged(at_peak / ours, self.peak_required, quick))

    def beside(self, against, result, record, work, limit, at_peak, quick):
        record.peer, theirs = against.name, result.seconds.get(against.name)
        record.required = f">= {against.required:.3g} x" if against.required else ""
        if self.unit == "sets/s":
            record.note = f"{self.flops(result.pairs) / 1e9 / result.seconds['ours']:.3g} GFLOP/s"
        if theirs is None:
            record.note = result.absent[against.name]
            return record
        record.peer_value = work * against.share / theirs
        record.ratio = record.ours / record.peer_value
        record.holds = judged(record.ratio, against.required, quick)
        needed = record.peer_value * against.required if against.required and not quick else 0
        for name, most in ("FMA peak", work / at_peak), ("model's limit", work / limit):
            if needed > most:
                record.note = f"needs {needed:.3g}, the {name} here is {most:.3g}"
                break
        return record


@dataclasses.dataclass
class CostPerScore:
    """What modifiers cost: our time for an unmasked score with them, over that without."""
    name: str
    fields: dict
    most: float
    tolerance: float = 1e-4   # the rate's gradient sums a value of either sign over all pairs

    def run(self, arena, threads, quick):
        changed = {**self.fields, "modifiers": "causal_decay"}
        rows = int(self.fields["rows"])
        torch = rows <= 2048   # its N x N matrices of 8 heads
        entrants = [Entrant("ours", "fovea", threads, changed), Entrant("plain", "fovea", threads, self.fields)]
        if torch:
            entrants.append(Entrant("torch", "torch", threads, changed, self.tolerance))
            entrants.append(Entrant("torch plain", "torch", threads, self.fields, math.inf))
        result = arena.measure(entrants)
        unmasked = (rows + 1) / 2 / rows
        cost = lambda with_them, plain: result.seconds[with_them] / result.seconds[plain] / unmasked
        ours = cost("ours", "plain")
        yield Record(self.name, threads, ours, "x plain", "plain", 1.0, ratio=1 / ours, required=f"<= {self.most} x plain",
                     holds=None if quick else ours <= self.most)
        if "torch" in result.seconds:
            record = Record(self.name, threads, ours, "x plain", "torch, over its plain", cost("torch", "torch plain"))
            record.ratio = result.seconds["torch"] / result.seconds["ours"]
            record.note = "ratio: of the times"
            yield record


@dataclasses.dataclass
class Scaling:
    """One head: what the second thread brings, on the wall."""
    name: str
    fields: dict
    required: float

    def run(self, arena, threads, quick):
        if threads == 1:
            return
        entrants = [Entrant(f"{name} {count}", system, count, self.fields)
                    for name, system in (("ours", "fovea"), ("torch", "torch")) for count in (1, 2)]
        wall = arena.measure(entrants).wall
        ours = wall["ours 1"] / wall["ours 2"]
        record = Record(self.name, 2, ours, "x 1 thread", "torch", required=f">= {self.required} x", ratio=None,
                        holds=None if quick else ours >= self.required)
        if "torch 2" in wall:
            record.peer_value = wall["torch 1"] / wall["torch 2"]
            record.ratio = wall["torch 2"] / wall["ours 2"]
            record.note = "ratio: of the times"
        yield record


@dataclasses.dataclass
class Neighbours:
    """Time and memory of the nearest neighbours' attention, the search included, and how they grow."""
    name: str
    sizes: list
    judged_size: int
    steepest: float = 1.2   # exponent of N from the first size to the last: 1, a tree's logarithm (0.11), the caches

    def run(self, arena, threads, quick):
        fields = {"score": "gaussian", "modifiers": "neighbours", "dimension": 3, "value_dimension": 3}
        seconds = {}
        for rows in self.sizes:
            entrants = [Entrant("ours", "fovea", threads, {**fields, "rows": rows})]
            if rows <= 10000:
                entrants.append(Entrant("torch, dense and masked", "torch", threads, {**fields, "rows": rows}))
            result = arena.measure(entrants)
            seconds[rows] = result.seconds["ours"]
            yield self.time_record(rows, threads, result, quick)
            if rows == self.judged_size:
                yield Record(f"{self.name}, N {rows}", threads, result.memory, "MB", required="< 200 MB",
                             holds=None if quick else result.memory < 200, note="the whole process")
        low, high = self.sizes[0], self.sizes[-1]
        exponent = math.log(seconds[high] / seconds[low]) / math.log(high / low)
        yield Record(f"{self.name}, N {low} to {high}", threads, exponent, "exponent", required=f"<= {self.steepest}",
                     holds=None if quick else exponent <= self.steepest, note="1: linear in N")

    def time_record(self, rows, threads, result, quick):
        record = Record(f"{self.name}, N {rows}", threads, result.seconds["ours"], "s")
        if rows == self.judged_size:
            record.required, record.holds = "< 1 s", None if quick else record.ours < 1
        peer = "torch, dense and masked"
        if peer in result.seconds:
            record.peer, record.peer_value = peer, result.seconds[peer]
            record.ratio = record.peer_value / record.ours
        elif peer in result.absent:
            record.peer, record.note = peer, result.absent[peer]
        return record


@dataclasses.dataclass
class Promise:
    """What it costs that a row has the same bits alone and in any batch."""
    name: str
    fields: dict
    most: float

    def run(self, arena, threads, quick):
        record = Record(self.name, threads, unit="x without", peer="without the promise", peer_value=1.0,
                        required=f"<= {self.most}")
        try:
            result = arena.measure([Entrant("ours", "fovea", threads, self.fields),
                                    Entrant("without", "fovea", threads, {**self.fields, "promise": "dropped"})])
            record.ours = result.seconds["ours"] / result.seconds["without"]
            record.ratio, record.holds = 1 / record.ours, None if quick else record.ours <= self.most
        except Cannot as reason:
            record.note = f"not measured: {reason}"
        yield record


def all_cases(quick, data):
    """data: a file of sets for the packed case, or None."""
    sizes = [128] if quick else [1024, 2048, 4096]
    eight = lambda rows, **more: {"heads": 8, "dimension": 64, "rows": rows, **more}
    for rows in sizes:
        yield Speed(f"forward, 8 heads, d 64, N {rows}", eight(rows), "GFLOP/s",
                    [Against("ONNX Runtime", "onnxruntime", required=1.3), Against("torch", "torch"),
                     Against("torch FlexAttention", "flex")], 0.75)
    for rows in sizes:
        yield Speed(f"forward + backward, 8 heads, d 64, N {rows}", eight(rows, **{"pass": "both"}), "GFLOP/s",
                    [Against("torch", "torch", required=1.2), Against("torch 1.13", "torch 1.13", required=4.0)], 0.75)
    for dimension, share in (16, 0.55), (32, 0.68), (128, 0.75):
        yield Speed(f"forward, 8 heads, d {dimension}, N {sizes[0]}", {"heads": 8, "dimension": dimension, "rows": sizes[0]},
                    "GFLOP/s", [Against("ONNX Runtime", "onnxruntime"), Against("torch", "torch")], share)
    for rows in sizes:
        yield CostPerScore(f"causal, learned time decay, N {rows}", eight(rows, **{"pass": "both"}), 1.15)
    yield packed_case(32 if quick else 1024, data)
    for rows in [300] if quick else [10000, 100000]:
        few = min(rows, 10000)
        yield Speed(f"Gaussian, d 3, dv 1, N {rows}", {"score": "gaussian", "dimension": 3, "value_dimension": 1, "rows": rows},
                    "Gpairs/s", [Against("KeOps", "keops", {"queries": few}, 25.0, few / rows),
                                 Against("KeOps -march=native", "keops tuned", {"queries": few}, None, few / rows)],
                    gains={"avx2": 2.0, "avx512": 1.3})
    yield Neighbours("16 nearest, 3 dimensions", [100, 200, 400] if quick else [1000, 10000, 55000, 100000],
                     400 if quick else 55000)
    for kind in "forward", "backward":
        yield Scaling(f"{kind}, 1 head, d 64, N {sizes[-1]}", {"heads": 1, "dimension": 64, "rows": sizes[-1], "pass": kind}, 1.85)
    yield Promise(f"same bits, forward + backward, N {sizes[-1]}", eight(sizes[-1], **{"pass": "both"}), 1.05)


def packed_case(sets, data):
    fields = {"heads": 4, "dimension": 16, "sets": sets, **({"data": "sets.h5"} if data else {})}
    layout = lambda name, batch: {"layout": name, "batch": batch}
    return Speed(f"{sets} packed sets of 16..128, 4 heads, d 16", fields, "sets/s",
                 [Against("ORT, batches of 64 padded", "onnxruntime", layout("padded", 64), 4.0),
                  Against("ORT, sorted, 16 padded", "onnxruntime", layout("sorted", 16)),
                  Against("ORT, equal sizes only", "onnxruntime", layout("bucketed", 1))], 0.33)

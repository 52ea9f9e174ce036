"""What `scripts/bench opinion` measures: steps of crowds, beside what can be had, and figures that are required as such.

Two programs could not be run here at the sizes that are asked for; what they took elsewhere is quoted in notes that say
so, and decides nothing."""
import dataclasses
import math

from record import Record, number
from rounds import Entrant

EXACT = 1e-12            # of an answer in double precision, opinions in [0, 1]
SCALING = 1.8            # what the second thread must bring
ELSEWHERE = "earlier, on another machine"


@dataclasses.dataclass
class Beside:
    """A peer. required: how many times faster ours must be; tolerance: of its answer, or None where chance decides it;
    share: its part of our work; passes(found): how many of its passes do what one of ours does."""
    name: str
    system: str
    fields: dict = dataclasses.field(default_factory=dict)
    required: float = None
    tolerance: float = None
    share: float = 1.0
    passes: object = None
    note: str = ""


@dataclasses.dataclass
class Step:
    """A step (or another pass) of ours: its time, what is required of it, and peers.

    most: milliseconds of one thread; exact: the largest error, found for some agents by direct sums; scales: with 2
    threads it must take 1.8 times less on the wall; size: of what is written, said in the note."""
    name: str
    fields: dict
    most: float = None
    beside: list = dataclasses.field(default_factory=list)
    exact: bool = False
    scales: bool = False
    note: str = ""

    def run(self, arena, threads, quick):
        if threads == 1:
            yield from self.alone(arena, quick)
        elif self.scales:
            yield self.with_two(arena, quick)

    def alone(self, arena, quick):
        entrants = [Entrant("ours", "fovea", 1, self.fields)]
        for peer in self.beside:
            tolerance = math.inf if peer.tolerance is None else peer.tolerance
            entrants.append(Entrant(peer.name, peer.system, 1, {**self.fields, **peer.fields}, tolerance, "double"))
        result = arena.measure(entrants, exact=self.exact)
        ours = 1e3 * result.seconds["ours"]
        if self.most or not self.beside:
            yield self.by_itself(ours, result, quick)
        for peer in self.beside:
            yield self.next_to(peer, ours, result, quick)

    def by_itself(self, ours, result, quick):
        record = Record(self.name, 1, ours, "ms", note=self.note)
        if self.most:
            record.required, record.holds = f"<= {self.most:g} ms", None if quick else ours <= self.most
        if self.exact:
            record.note = "; ".join(part for part in (f"error {result.error:.1g}", self.note) if part)
            if not (result.error <= EXACT):
                record.holds = False
        return record

    def next_to(self, peer, ours, result, quick):
        record = Record(self.name, 1, ours, "ms", peer.name, required=f">= {peer.required:g} x" if peer.required else "")
        if peer.name not in result.seconds:
            record.note = result.absent[peer.name]
            return record
        found = {name: float(value) for name, value in result.found.get(peer.name, {}).items()}
        passes = peer.passes(found) if peer.passes else 1.0
        record.peer_value = 1e3 * result.seconds[peer.name] * passes / peer.share
        record.ratio = record.peer_value / ours
        record.holds = None if quick or not peer.required else record.ratio >= peer.required
        difference = "" if peer.tolerance is None else f"difference {result.differences[peer.name]:.1g}"
        record.note = "; ".join(part for part in (difference, peer.note.format(**found)) if part)
        return record

    def with_two(self, arena, quick):
        result = arena.measure([Entrant(f"ours {count}", "fovea", count, self.fields) for count in (1, 2)])
        ratio = result.wall["ours 1"] / result.wall["ours 2"]
        return Record(self.name, 2, 1e3 * result.wall["ours 2"], "ms", "ours with 1 thread", 1e3 * result.wall["ours 1"],
                      ratio, required=f">= {SCALING} x", holds=None if quick else ratio >= SCALING)


@dataclasses.dataclass
class Stored:
    """What it takes to store states, in seconds and bytes, beside a text file for each."""
    name: str
    states: int
    agents: int
    text_share: float

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        fields = {"problem": "opinion", "model": "states", "agents": self.agents}
        one = self.measured(arena, {**fields, "states": self.states, "as": "dataset"})
        text = self.measured(arena, {**fields, "states": max(1, int(self.states * self.text_share)), "as": "text"})
        seconds, size = text[0] / self.text_share, text[1] / self.text_share
        yield Record(self.name, 1, one[0], "s", "text files, as Seldon's", seconds, seconds / one[0],
                     note=f"one file of {number(one[1] / 1e6)} MB beside {number(size / 1e6)} MB of text in all")

    @staticmethod
    def measured(arena, fields):
        result = arena.measure([Entrant("ours", "fovea", 1, fields)])
        return result.seconds["ours"], result.pairs


def attention(agents, temperature, **more):
    return {"problem": "opinion", "model": "attention", "agents": agents, "temperature": temperature, **more}


def averaging_cases(quick):
    size = lambda agents: 300 if quick else agents
    rows = "blocks of {block:.0f} rows"
    numpy_beside = lambda: [
        Beside("NumPy 1.24, Debian's", "numpy of Debian", required=1000, tolerance=EXACT, note=rows),
        Beside("the same, exponents cut", "numpy of Debian", {"cut": 1}, tolerance=EXACT, note=rows),
        Beside("NumPy, newest, as fast", "numpy", {"cut": 1}, tolerance=EXACT, note=rows)]
    for temperature in (1e-2, 1e-4):
        yield Step(f"attention, Gaussian, N 1e4, T {temperature:g}", attention(size(10**4), temperature, by="kernel"),
                   beside=numpy_beside(), exact=True)
    for agents, most in ((10**6, 60), (10**7, 800)):
        for temperature in (1e-2, 1e-4):
            yield Step(f"attention, Gaussian, N {agents:.0e}, T {temperature:g}".replace("e+0", "e"),
                       attention(size(agents), temperature), most=most, exact=True, scales=True)
    bounded = lambda agents, confidence: {"problem": "opinion", "model": "hegselmann_krause", "agents": size(agents),
                                          "confidence": confidence}
    yield Step("Hegselmann-Krause, exact, N 1e6", bounded(10**6, 0.2), most=25, exact=True, scales=True)
    note = "NDlib moves {moved:.3g} agent an iteration (its issue 263): N of them make a sweep"
    yield Step("Hegselmann-Krause, N 1000, a true sweep", bounded(1000, 0.2),
               beside=[Beside("NDlib HKModel", "ndlib", required=1e5, note=note,
                              passes=lambda found: size(1000) / max(found["moved"], 1.0))])


def meeting_cases(quick):
    size = lambda agents: 300 if quick else agents
    opinion = lambda model, agents, **more: {"problem": "opinion", "model": model, "agents": size(agents), **more}
    yield Step("Deffuant, N 1e4, N meetings", opinion("deffuant", 10**4), beside=[Beside("Seldon", "seldon")])
    yield Step("Deffuant, N 1e5, N meetings", opinion("deffuant", 10**5), most=10,
               note=f"Seldon took 110 s {ELSEWHERE}")
    yield Step("activity-driven, beta 1, N 1e4", opinion("activity", 10**4, homophily=1), beside=[Beside("Seldon", "seldon")])
    for beta in (1, 3):
        note = f"Seldon took 12.9 s at beta 3 {ELSEWHERE}" if beta == 3 else ""
        yield Step(f"activity-driven, beta {beta}, N 1e5", opinion("activity", 10**5, homophily=beta), most=300, note=note)
    bias = opinion("algorithmic_bias", 10**4, homophily=1, confidence=0.32)
    yield Step("algorithmic bias, network, N 1e4, degree 20", {**bias, "mean_degree": 20},
               beside=[Beside("NDlib", "ndlib", note="moves {moved:.4g} agents an iteration")])
    yield Step("algorithmic bias, all to all, N 1e5", {**bias, "agents": size(10**5)})


def network_cases(quick):
    agents, degree = (300, 6) if quick else (10**5, 20)
    for name, model in (("attention", "attention"), ("DeGroot", "degroot")):
        fields = {"problem": "opinion", "model": model, "agents": agents, "mean_degree": degree, "temperature": 0.01}
        yield Step(f"{name} on a network, N 1e5, 1e6 edges", fields,
                   beside=[Beside("SciPy, sparse", "numpy", tolerance=EXACT)])
    lines = 1000 if quick else 10**7
    yield Step("reading an edge list of 1e7 lines", {"problem": "opinion", "model": "edge_list", "lines": lines},
               beside=[Beside("pandas and SciPy", "numpy", tolerance=0.0)])
    yield Stored("storing 1000 states of 1e5 agents", *((4, 50, 0.5) if quick else (1000, 10**5, 0.02)))


def formula_cases(quick):
    """Models written as formulas beside the same ones built in, which may take a quarter of their time."""
    size = lambda agents: 300 if quick else agents
    pairs = Beside("built in, every pair", "fovea", {"written": 0, "fast": 0}, required=0.25)
    best = Beside("built in, O(N)", "fovea", {"written": 0})
    network = Beside("built in", "fovea", {"written": 0}, required=0.25)
    written = lambda model, agents, **more: {"problem": "opinion", "model": model, "agents": size(agents), "written": 1,
                                             "by": "model", **more}
    models = [("Hegselmann-Krause", written("hegselmann_krause", 3000)),
              ("attention with anchors", written("attention", 3000, temperature=0.01, stubbornness=0.1)),
              ("smooth bounded confidence", written("smooth_bounded_confidence", 3000))]
    for name, fields in models:
        plain = name.startswith("smooth")   # built in, it has plain sums of its own over every pair
        yield Step(f"{name} as formulas, N 3000", fields, beside=[network] if plain else [pairs, best])
    for name, fields in [*models, ("DeGroot", written("degroot", 0))]:
        fields = {**fields, "agents": size(10**5), "mean_degree": 6 if quick else 20}
        yield Step(f"{name} as formulas, network, 1e6 edges", fields, beside=[network])
    yield Step("Deffuant as a formula, N 1e5, N meetings", written("deffuant", 10**5), beside=[network])


def all_cases(quick, data):
    """data: only `attention` and `learning` read one."""
    return [*averaging_cases(quick), *meeting_cases(quick), *network_cases(quick),
            *formula_cases(quick)]

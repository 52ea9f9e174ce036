"""Rows of `scripts/bench particle` about attention to the nearest of the particles of a whole event."""
import dataclasses
import math

from record import Record
from rounds import Entrant


@dataclasses.dataclass
class Near:
    """A block of width 64 with 4 heads over the 16 nearest, a learned bias of each listed pair, and how cost grows with N."""
    name: str = "16 nearest of an event"

    TOKENS, FEWER = 55_000, 13_750
    DENSE = 4000, 16_000   # with 2000 tokens a sixth of the operations are products of rows, whose number is linear in N
    REQUIRED = {"forward": 1.0, "training": 3.0}   # processor seconds
    MEGABYTES = 300

    @staticmethod
    def grown(arena, few, many, **fields):
        """Both sizes in turns, the larger first; and the exponent with which the seconds grow."""
        outcome = arena.measure([Entrant(str(count), "fovea", 1, {"problem": "near", "recompute": "rows", "tokens": count, **fields})
                                 for count in (many, few)])
        seconds = [outcome.seconds[str(count)] for count in (many, few)]
        return outcome, seconds[0], math.log(seconds[0] / seconds[1]) / math.log(many / few)

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        tokens, fewer = (800, 200) if quick else (self.TOKENS, self.FEWER)
        for what, most in self.REQUIRED.items():
            long, seconds, growth = self.grown(arena, fewer, tokens, **{"pass": what})
            yield Record(f"{self.name}: {what}", 1, seconds, "s", required=f"<= {most:g} s", holds=None if quick else seconds <= most,
                         note=f"{tokens:,} tokens, search included")
            yield Record(f"{self.name}: memory, {what}", 1, long.memory, "MB", required=f"<= {self.MEGABYTES}",
                         holds=None if quick else long.memory <= self.MEGABYTES, note="peak of the process; all tensors of a dense head "
                         "would take 12 GB")
            yield Record(f"{self.name}: growth, {what}", 1, growth, "exponent", required="0.9 to 1.1",
                         holds=None if quick else 0.9 <= growth <= 1.1, note=f"from {fewer:,} to {tokens:,} tokens")
        few, many = (100, 200) if quick else self.DENSE
        growth = self.grown(arena, few, many, nearest=0)[2]
        yield Record(f"{self.name}: growth, all pairs", 1, growth, "exponent", required="1.9 to 2.1",
                     holds=None if quick else 1.9 <= growth <= 2.1, note=f"from {few:,} to {many:,} tokens, without a bias")

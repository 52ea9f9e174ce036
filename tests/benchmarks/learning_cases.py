"""What `scripts/bench learning` measures: tokens of a training a second, beside PyTorch on padded batches."""
import dataclasses

from record import Record
from rounds import Entrant

SAME_LOSSES = 1e-4   # of the first three steps: single precision, a few hundred thousand roundings, two steps of AdamW
PASSES = 3           # a backward pass costs two forward ones


@dataclasses.dataclass
class Training:
    """A Transformer that learns to classify packed sets: forward, backward and step of an epoch."""
    name: str
    fields: dict
    required: float

    def flops(self, tokens, pairs):
        """Multiplications and additions of an epoch, without norms and functions."""
        width, hidden, blocks = (int(self.fields[name]) for name in ("width", "hidden", "blocks"))
        token = 2 * (4 * width * width + 2 * width * hidden)
        return PASSES * blocks * (token * tokens + 4 * (width // int(self.fields["heads"])) * pairs)

    def run(self, arena, threads, quick):
        entrants = [Entrant("ours", "fovea", threads, self.fields),
                    Entrant("torch, padded", "torch learning", threads, self.fields, SAME_LOSSES)]
        if not quick:
            entrants.append(Entrant("torch, padded, compiled", "torch learning", threads, {**self.fields, "compiled": 1},
                                    SAME_LOSSES))
        result = arena.measure(entrants)
        ours, peak = result.seconds["ours"], result.peak * 1e9
        share = self.flops(result.rows, result.pairs) / ours / peak
        for entrant in entrants[1:]:
            record = Record(self.name, threads, result.rows / ours, "tokens/s", entrant.name, peak_share=share)
            required = self.required if entrant.name == "torch, padded" else None
            record.required = f">= {required:g} x" if required else ""
            if entrant.name in result.seconds:
                record.peer_value = result.rows / result.seconds[entrant.name]
                record.ratio = record.ours / record.peer_value
                record.holds = None if quick or not required else record.ratio >= required
            else:
                record.note = result.absent[entrant.name]
            yield record


def all_cases(quick, data):
    """data: a file of sets, or None."""
    fields = {"problem": "learning", "sets": 8 if quick else 256, "batch_sets": 4 if quick else 64, "width": 64, "heads": 4,
              "hidden": 256, "blocks": 2, **({"data": "sets.h5"} if data else {})}
    yield Training("training, 2 blocks, d 64, 4 heads, sets of 16..128", fields, 3.0)

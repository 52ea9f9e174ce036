"""PyTorch: the model of domains/ehr/model/heads_model.hpp, written with scatter operations over packed events:

    torch_heads_peer.py FOLDER EPOCHS ANSWER.json

Learns from 60 % of the stays of sets A and B, as ours without folds does; writes processor seconds of each epoch and the AUROC of
the stays that it did not learn from."""
import json
import math
import sys
import time

import features
import numpy
import torch
from scores import auroc

HALF_LIVES = [0.3, 2, 8, 24, math.inf, math.inf, 8, math.inf, 8]   # hours, of the heads on values
SHARPNESS = [0, 0, 0, 0, 0, 2, 2, -2, -2]
SQUARES = [8, math.inf]                                            # half-lives of the heads on squares
MASSES = [2, 8, 24]
TIME_RATE, BATCH, END = 10, 64, 48.0
LEARNED, VALIDATED = 0.6, 0.2


class Packed:
    """Events in the order (stay, variable, time), values as normal scores within their variable."""

    def __init__(self, folder):
        events = features.Events(folder)
        self.died, self.variables, self.stays = events.died, events.variables, len(events.stays)
        kind = events.group % events.variables
        value = numpy.empty(len(kind), numpy.float32)
        for variable in range(events.variables):
            mine = numpy.flatnonzero(kind == variable)
            rank = numpy.argsort(numpy.argsort(events.value[mine])) + 0.5
            value[mine] = torch.special.ndtri(torch.from_numpy(rank / len(mine))).numpy()
        self.kind, self.value = torch.from_numpy(kind), torch.from_numpy(value)
        self.hours = torch.from_numpy(events.hours.astype(numpy.float32))
        self.offsets = numpy.searchsorted(events.group // events.variables, numpy.arange(self.stays + 1))

    def batch(self, stays):
        rows = numpy.concatenate([numpy.arange(self.offsets[stay], self.offsets[stay + 1]) for stay in stays])
        place = numpy.repeat(numpy.arange(len(stays)), self.offsets[stays + 1] - self.offsets[stays])
        rows, place = torch.from_numpy(rows), torch.from_numpy(place)
        return self.kind[rows], self.value[rows], self.hours[rows], place


class Heads(torch.nn.Module):
    def __init__(self, variables, half_lives, sharpness):
        super().__init__()
        self.decays = torch.tensor([math.isfinite(tau) for tau in half_lives])
        start = torch.tensor([math.log(tau) / TIME_RATE if math.isfinite(tau) else 0 for tau in half_lives])
        self.log_half_life = torch.nn.Parameter(start.repeat(variables, 1))
        self.sharpness = torch.nn.Parameter(torch.tensor(sharpness, dtype=torch.float32).repeat(variables, 1))

    def forward(self, kind, value, age, group, groups):
        rate = math.log(2) * torch.exp(-TIME_RATE * self.log_half_life) * self.decays
        score = self.sharpness[kind] * value[:, None] - rate[kind] * age[:, None]
        index = group[:, None].expand_as(score)
        with torch.no_grad():
            highest = torch.full((groups, score.shape[1]), -torch.inf).scatter_reduce(0, index, score, "amax")
        weight = torch.exp(score - highest[group])
        zeros = torch.zeros(groups, score.shape[1])
        total = zeros.index_add(0, group, weight)
        return zeros.index_add(0, group, weight * value[:, None]) / total.clamp_min(1e-30)


class Model(torch.nn.Module):
    def __init__(self, variables):
        super().__init__()
        self.variables = variables
        self.values = Heads(variables, HALF_LIVES, SHARPNESS)
        self.squares = Heads(variables, SQUARES, [0] * len(SQUARES))
        self.log_mass = torch.nn.Parameter(torch.tensor([math.log(tau) / TIME_RATE for tau in MASSES]).repeat(variables, 1))
        columns = variables * (len(HALF_LIVES) + len(SQUARES) + len(MASSES) + 2)
        self.register_buffer("mean", torch.zeros(columns))
        self.register_buffer("scale", torch.ones(columns))
        self.mix = torch.nn.Sequential(torch.nn.Linear(columns, 128), torch.nn.GELU(), torch.nn.Dropout(0.5),
                                       torch.nn.Linear(128, 64), torch.nn.GELU(), torch.nn.Dropout(0.5), torch.nn.Linear(64, 1))
        self.linear, self.drop = torch.nn.Linear(columns, 1), torch.nn.Dropout(0.3)

    def columns(self, kind, value, hours, place, ends):
        seen = hours <= ends[place]
        kind, value, place, age = kind[seen], value[seen], place[seen], (ends[place] - hours)[seen]
        groups = len(ends) * self.variables
        group = place * self.variables + kind
        mass_rate = math.log(2) * torch.exp(-TIME_RATE * self.log_mass)
        mass = torch.zeros(groups, len(MASSES)).index_add(0, group, torch.exp(-mass_rate[kind] * age[:, None]))
        count = torch.zeros(groups).index_add(0, group, torch.ones_like(age))
        last = torch.full((groups,), torch.inf).scatter_reduce(0, group, age, "amin")
        last = torch.where(torch.isinf(last), torch.zeros_like(last), last)
        pooled = [self.values(kind, value, age, group, groups), torch.log1p(mass), last[:, None], torch.log1p(count)[:, None],
                  self.squares(kind, value * value, age, group, groups)]
        return torch.cat(pooled, 1).reshape(len(ends), -1)

    def forward(self, *events):
        kept = self.drop((self.columns(*events) - self.mean) * self.scale)
        return (self.mix(kept) + self.linear(kept))[:, 0]


def look(model, packed, stays):
    """Mean and scale of the columns with the heads as they start."""
    with torch.no_grad():
        columns = torch.cat([model.columns(*packed.batch(some), torch.full((len(some),), END))
                             for some in numpy.array_split(stays, len(stays) // BATCH)])
        deviation = columns.std(0)
        model.mean.copy_(columns.mean(0))
        model.scale.copy_(torch.where(deviation > 1e-3, 1 / deviation, torch.zeros_like(deviation)))


def optimizer_of(model):
    weights = [p for name, p in model.named_parameters() if name.endswith("weight")]
    others = [p for name, p in model.named_parameters() if not name.endswith("weight")]
    return torch.optim.AdamW([{"params": weights, "weight_decay": 0.7}, {"params": others, "weight_decay": 0}], 2e-3, fused=True)


def asked(random, count):
    """When stays are asked while the model learns: half of them at an earlier time."""
    earlier = random.random(count) < 0.5
    return torch.from_numpy(numpy.where(earlier, END * (0.1 + 0.9 * random.random(count)), END).astype(numpy.float32))


def learn(folder, epochs, answer):
    torch.manual_seed(1)
    random, packed = numpy.random.default_rng(1), Packed(folder)
    order = random.permutation(packed.stays)
    training, tested = order[:int(LEARNED * len(order))], order[int((LEARNED + VALIDATED) * len(order)):]
    model, died = Model(packed.variables), torch.from_numpy(packed.died.astype(numpy.float32))
    look(model, packed, training)
    optimizer, seconds = optimizer_of(model), []
    steps = epochs * math.ceil(len(training) / BATCH)
    course = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / 50) * (1 + math.cos(math.pi * step / steps)) / 2)
    for _ in range(epochs):
        begun, shuffled = time.process_time(), random.permutation(training)
        for first in range(0, len(shuffled), BATCH):
            stays = shuffled[first:first + BATCH]
            optimizer.zero_grad(set_to_none=True)
            logits = model(*packed.batch(stays), asked(random, len(stays)))
            torch.nn.functional.binary_cross_entropy_with_logits(logits, died[stays]).backward()
            optimizer.step()
            course.step()
        seconds.append(time.process_time() - begun)
    model.eval()
    with torch.no_grad():
        logits = torch.cat([model(*packed.batch(some), torch.full((len(some),), END)) for some in numpy.array_split(tested, 25)])
    found = {"seconds": seconds, "stays": len(training), "version": torch.__version__,
             "auroc": auroc(logits.tolist(), packed.died[tested].tolist())}
    with open(answer, "w", encoding="utf-8") as file:
        json.dump(found, file)


if __name__ == "__main__":
    torch.set_num_threads(1)
    learn(sys.argv[1], int(sys.argv[2]), sys.argv[3])

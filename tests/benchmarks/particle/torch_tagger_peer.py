"""PyTorch: a plain Transformer of 19,553 parameters over the constituents of jets, in batches of like sizes, padded.

    torch_tagger_peer.py TRAIN TEST EPOCHS SEED JETS ANSWER      JETS: of each file at most; 0: all

7 numbers a constituent (Qu, Li, Qian 2022) -> 32 -> GELU -> 32, two blocks (norm first, 4 heads, 64 hidden columns, GELU), norm,
mean, 32 -> GELU -> 1. AdamW, rate 2e-3 that falls as a cosine, batches of 128. ANSWER: a JSON object. Times are the processor's."""
import json
import sys
import time

import h5py
import numpy
import torch

WIDTH, HEADS, HIDDEN, BLOCKS = 32, 4, 64, 2
BATCH, GROUP, RATE = 128, 32, 2e-3     # GROUP: batches within which jets are sorted by size
PREDICTED = 64                         # jets at a time, all sorted by size


class Jets:
    """Of a ragged file: the inputs of constituents, float32, jet after jet."""

    def __init__(self, path, most):
        with h5py.File(path) as file:
            offsets = file["offsets"][:]
            self.offsets = offsets[:most + 1] if most else offsets
            end = self.offsets[-1]
            particles, self.labels = file["particles"][:end].astype(numpy.float64), file["label"][:len(self.offsets) - 1]
            rapidity = "rapidity" in str(file["particles"].attrs.get("columns", "")) or "qg_like" in path
        self.sizes = numpy.diff(self.offsets)
        self.inputs = torch.from_numpy(inputs_of(particles, self.offsets, rapidity))

    def batch(self, jets):
        sizes = self.sizes[jets]
        x = torch.zeros(len(jets), int(sizes.max()), self.inputs.shape[1])
        for row, jet in enumerate(jets):
            x[row, :sizes[row]] = self.inputs[self.offsets[jet]:self.offsets[jet + 1]]
        padding = torch.from_numpy(numpy.arange(x.shape[1]) >= sizes[:, None])
        return x, padding


def inputs_of(particles, offsets, rapidity):
    pt, along, phi, mass = particles.T
    transverse = numpy.hypot(pt, mass) if rapidity else pt
    pz = transverse * numpy.sinh(along)
    energy = numpy.sqrt(pt ** 2 + pz ** 2 + mass ** 2)
    total = numpy.add.reduceat(numpy.stack([pt * numpy.cos(phi), pt * numpy.sin(phi), pz, energy], 1), offsets[:-1])
    px, py, pz_jet, energy_jet = numpy.repeat(total, numpy.diff(offsets), axis=0).T
    pt_jet = numpy.hypot(px, py)
    d_eta = numpy.arcsinh(pz / pt) - numpy.arcsinh(pz_jet / pt_jet)
    d_phi = numpy.remainder(phi - numpy.arctan2(py, px) + numpy.pi, 2 * numpy.pi) - numpy.pi
    columns = [d_eta, d_phi, (numpy.log(pt) - 1.7) * 0.7, (numpy.log(energy) - 2) * 0.7, (numpy.log(pt / pt_jet) + 4.7) * 0.7,
               (numpy.log(energy / energy_jet) + 4.7) * 0.7, (numpy.hypot(d_eta, d_phi) - 0.2) * 4]
    return numpy.clip(numpy.stack(columns, 1), -5, 5).astype(numpy.float32)


class Tagger(torch.nn.Module):
    def __init__(self, inputs):
        super().__init__()
        self.embed = torch.nn.Sequential(torch.nn.Linear(inputs, WIDTH), torch.nn.GELU(), torch.nn.Linear(WIDTH, WIDTH))
        block = torch.nn.TransformerEncoderLayer(WIDTH, HEADS, HIDDEN, dropout=0.0, activation="gelu", batch_first=True,
                                                 norm_first=True)
        self.blocks = torch.nn.TransformerEncoder(block, BLOCKS, norm=torch.nn.LayerNorm(WIDTH), enable_nested_tensor=False)
        self.answer = torch.nn.Sequential(torch.nn.Linear(WIDTH, WIDTH), torch.nn.GELU(), torch.nn.Linear(WIDTH, 1))

    def forward(self, x, padding):
        h = self.blocks(self.embed(x), src_key_padding_mask=padding)
        there = (~padding)[:, :, None]
        return self.answer((h * there).sum(1) / there.sum(1))[:, 0]


def batches(sizes, random):
    """Shuffled jets, sorted by size within groups of batches; the batches of an epoch in any order."""
    order = random.permutation(len(sizes))
    found = []
    for first in range(0, len(order), BATCH * GROUP):
        group = order[first:first + BATCH * GROUP]
        group = group[numpy.argsort(sizes[group], kind="stable")]
        found += [group[at:at + BATCH] for at in range(0, len(group), BATCH)]
    return [found[at] for at in random.permutation(len(found))]


def learn(model, jets, epochs, random):
    """Processor seconds of each epoch."""
    optimizer, seconds = torch.optim.AdamW(model.parameters(), RATE, fused=True), []
    course = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs * -(-len(jets.sizes) // BATCH))
    labels = torch.from_numpy(jets.labels.astype(numpy.float32))
    for _ in range(epochs):
        begun = time.process_time()
        for batch in batches(jets.sizes, random):
            optimizer.zero_grad(set_to_none=True)
            torch.nn.functional.binary_cross_entropy_with_logits(model(*jets.batch(batch)), labels[batch]).backward()
            optimizer.step()
            course.step()
        seconds.append(time.process_time() - begun)
    return seconds


def predict(model, jets):
    """Logits in the order of the jets, and processor seconds."""
    model.eval()
    begun, logits = time.process_time(), numpy.zeros(len(jets.sizes))
    order = numpy.argsort(jets.sizes, kind="stable")
    with torch.inference_mode():
        for first in range(0, len(order), PREDICTED):
            batch = order[first:first + PREDICTED]
            logits[batch] = model(*jets.batch(batch)).numpy()
    return logits, time.process_time() - begun


def auc(logits, labels):
    order = numpy.argsort(logits, kind="stable")
    ranks = numpy.empty(len(logits))
    ranks[order] = numpy.arange(1, len(logits) + 1)
    for value in numpy.unique(logits[order][1:][numpy.diff(logits[order]) == 0]):   # ties count half
        ranks[logits == value] = ranks[logits == value].mean()
    signal = labels == 1
    count = signal.sum()
    return float((ranks[signal].sum() - count * (count + 1) / 2) / (count * (len(labels) - count)))


def main(train, test, epochs, seed, most, answer):
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    training, begun = Jets(train, most), time.process_time()
    tested = Jets(test, most)
    reading = time.process_time() - begun
    model = Tagger(training.inputs.shape[1])
    seconds = learn(model, training, epochs, numpy.random.default_rng(seed))
    logits, predicting = predict(model, tested)
    found = {"parameters": sum(p.numel() for p in model.parameters()), "seconds": seconds, "particles": int(training.offsets[-1]),
             "auc": auc(logits, tested.labels), "labels": tested.labels.tolist(), "jets": len(logits),
             "predict_seconds": predicting, "read_seconds": reading, "versions": {"torch": torch.__version__}}
    with open(answer, "w", encoding="utf-8") as file:
        json.dump(found, file)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6]), sys.argv[6])

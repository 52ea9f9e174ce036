"""PyTorch: the training of learning_problem.hpp on padded batches: TransformerEncoder with a key padding mask, AdamW."""
from peer import serve   # first: it keeps the standard output for the replies

import os

import numpy
import torch

RATE, LOSSES_COMPARED = 1e-3, 3   # as in learning_problem.cpp


class Model(torch.nn.Module):
    def __init__(self, features, width, heads, hidden, blocks):
        super().__init__()
        self.embedding = torch.nn.Linear(features, width)
        block = torch.nn.TransformerEncoderLayer(width, heads, hidden, dropout=0.0, activation="gelu", batch_first=True,
                                                 norm_first=True)
        self.blocks = torch.nn.TransformerEncoder(block, blocks, norm=torch.nn.LayerNorm(width), enable_nested_tensor=False)
        self.head = torch.nn.Linear(width, 1)

    def forward(self, x, padding):
        h = self.blocks(self.embedding(x), src_key_padding_mask=padding)
        there = (~padding)[:, :, None]
        return self.head((h * there).sum(1) / there.sum(1))[:, 0]


class Start:
    """Our long vector of parameters, read piece by piece; weights are ours transposed."""

    def __init__(self, numbers):
        self.numbers, self.at = numbers, 0

    def take(self, rows, columns):
        self.at += rows * columns
        return torch.from_numpy(self.numbers[self.at - rows * columns:self.at].reshape(rows, columns).copy())

    def linear(self, layer):
        layer.weight.copy_(self.take(layer.in_features, layer.out_features).T)
        layer.bias.copy_(self.take(1, layer.out_features)[0])

    def norm(self, layer):
        layer.weight.copy_(self.take(1, layer.normalized_shape[0])[0])
        layer.bias.copy_(self.take(1, layer.normalized_shape[0])[0])

    def attention(self, layer):
        width = layer.embed_dim
        weight, bias = layer.in_proj_weight, layer.in_proj_bias
        weight[:width].copy_(self.take(width, width).T)
        bias[:width].copy_(self.take(1, width)[0])
        weight[width:].copy_(self.take(width, 2 * width).T)
        bias[width:].copy_(self.take(1, 2 * width)[0])
        self.linear(layer.out_proj)

    def fill(self, model):
        with torch.no_grad():
            self.linear(model.embedding)
            for block in model.blocks.layers:
                self.norm(block.norm1)
                self.attention(block.self_attn)
                self.norm(block.norm2)
                self.linear(block.linear1)
                self.linear(block.linear2)
            self.norm(model.blocks.norm)
            self.linear(model.head)
        assert self.at == len(self.numbers)


class TorchLearning:
    def prepare(self, fields):
        size = lambda name, fallback: int(fields.get(name, fallback))
        read = lambda name, kind: numpy.fromfile(f"{fields['folder']}/{name}", kind)
        offsets = read("offsets", numpy.int64)
        features = read("features", numpy.float32).reshape(offsets[-1], -1)
        labels = read("labels", numpy.float32)
        self.model = Model(features.shape[1], size("width", 64), size("heads", 4), size("hidden", 256), size("blocks", 2))
        Start(read("parameters", numpy.float32)).fill(self.model)
        self.optimizer = self.adamw()
        self.batches = [self.padded(features, labels, offsets, first, min(first + size("batch_sets", 64), len(labels)))
                        for first in range(0, len(labels), size("batch_sets", 64))]
        self.losses = []
        self.forward = torch.compile(self.model, dynamic=True) if fields.get("compiled") == "1" else self.model

    def adamw(self):
        """Weight decay acts on weights alone, as ours; the fused step, the fastest there is."""
        groups = [{"params": [p for p in self.model.parameters() if (p.dim() == 2) == decays], "weight_decay": decay}
                  for decays, decay in ((True, 0.01), (False, 0.0))]
        return torch.optim.AdamW(groups, RATE, fused=True)

    @staticmethod
    def padded(features, labels, offsets, first, end):
        sizes = numpy.diff(offsets)[first:end]
        x = torch.zeros(len(sizes), int(sizes.max()), features.shape[1])
        padding = torch.ones(x.shape[:2], dtype=torch.bool)
        for k, size in enumerate(sizes):
            x[k, :size] = torch.from_numpy(features[offsets[first + k]:offsets[first + k] + size])
            padding[k, :size] = False
        return x, padding, torch.from_numpy(labels[first:end].copy())

    def run(self):
        for x, padding, labels in self.batches:
            self.optimizer.zero_grad(set_to_none=True)
            loss = torch.nn.functional.binary_cross_entropy_with_logits(self.forward(x, padding), labels)
            loss.backward()
            self.optimizer.step()
            if len(self.losses) < LOSSES_COMPARED:
                self.losses.append(loss.item())

    def answer(self):
        return [numpy.array(self.losses)]


torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
serve(TorchLearning(), torch.__version__)

#!/usr/bin/env python3
"""Makes transformer.safetensors: what PyTorch says of a whole Transformer, its loss and all its gradients.

Two blocks (norm first, GELU), four heads, width 16, three packed sets of irregular times; behind a causal mask each head
has a time decay of its own and all share a temperature, all learned. Parameters are named as ours, weights as ours (inputs
x outputs). Written with PyTorch 2.15 in single precision, from double precision numbers drawn by NumPy:

    python3 transformer.py transformer.safetensors
"""
import json
import math
import struct
import sys

import numpy
import torch

WIDTH, HEADS, HIDDEN, BLOCKS, SIZES = 16, 4, 32, 2, (5, 1, 7)


def draw(random):
    """name -> array; what starts at 0 or 1 stands off it."""
    numbers = {}
    for block in range(BLOCKS):
        name = f"block.{block}"
        for part, shape in {"attention.query": (WIDTH, WIDTH), "attention.key_value": (WIDTH, 2 * WIDTH),
                            "attention.out": (WIDTH, WIDTH), "feed_forward.in": (WIDTH, HIDDEN),
                            "feed_forward.out": (HIDDEN, WIDTH)}.items():
            numbers[f"{name}.{part}.weight"] = random.normal(0, 1.2 / math.sqrt(shape[0]), shape)
            numbers[f"{name}.{part}.bias"] = random.normal(0, 0.3, (1, shape[1]))
        for norm in "attention_norm", "feed_forward_norm":
            numbers[f"{name}.{norm}.gain"] = 1 + random.normal(0, 0.2, (1, WIDTH))
            numbers[f"{name}.{norm}.shift"] = random.normal(0, 0.2, (1, WIDTH))
        numbers[f"{name}.attention.time_decay"] = random.normal(-1, 0.5, (1, HEADS))
        numbers[f"{name}.attention.temperature"] = numpy.array([[0.3 - 0.5 * block]])
    numbers["head.weight"], numbers["head.bias"] = random.normal(0, 0.5, (WIDTH, 1)), numpy.array([[0.2]])
    return numbers


def attention(x, p, name, times):
    rows, width = x.shape[0], WIDTH // HEADS
    split = lambda y: y.reshape(rows, HEADS, width).transpose(0, 1)
    product = lambda part: x @ p[f"{name}.{part}.weight"] + p[f"{name}.{part}.bias"]
    keys_values = product("key_value")
    queries, keys, values = split(product("query")), split(keys_values[:, :WIDTH]), split(keys_values[:, WIDTH:])
    age = times[:, None] - times[None, :]
    scores = queries @ keys.transpose(1, 2) / math.sqrt(width)
    scores = scores - torch.exp(p[f"{name}.time_decay"]).reshape(HEADS, 1, 1) * age.abs()
    scores = scores / torch.exp(p[f"{name}.temperature"])
    scores = scores.masked_fill(torch.ones(rows, rows).triu(1).bool(), -math.inf)
    heads = (torch.softmax(scores, -1) @ values).transpose(0, 1).reshape(rows, WIDTH)
    return heads @ p[f"{name}.out.weight"] + p[f"{name}.out.bias"]


def norm(x, p, name):
    return torch.nn.functional.layer_norm(x, (WIDTH,), p[f"{name}.gain"][0], p[f"{name}.shift"][0])


def loss_of(p, x, times, targets):
    """Logistic loss of one logit a set, from the mean of its tokens, over the number of sets."""
    total, first = 0, 0
    for b, size in enumerate(SIZES):
        h, t = x[first:first + size], times[first:first + size]
        for block in range(BLOCKS):
            name = f"block.{block}"
            h = h + attention(norm(h, p, f"{name}.attention_norm"), p, f"{name}.attention", t)
            u = norm(h, p, f"{name}.feed_forward_norm")
            u = torch.nn.functional.gelu(u @ p[f"{name}.feed_forward.in.weight"] + p[f"{name}.feed_forward.in.bias"])
            h = h + u @ p[f"{name}.feed_forward.out.weight"] + p[f"{name}.feed_forward.out.bias"]
        logit = h.mean(0, keepdim=True) @ p["head.weight"] + p["head.bias"]
        total = total + torch.nn.functional.binary_cross_entropy_with_logits(logit[0], targets[b], reduction="sum")
        first += size
    return total / len(SIZES)


def write(path, arrays, about):
    """SafeTensors: the length of the header, the header in JSON, the numbers."""
    header, data = {"__metadata__": about}, b""
    for name, array in arrays.items():
        raw = numpy.ascontiguousarray(array, dtype="<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def main(path):
    random, rows = numpy.random.default_rng(2026), sum(SIZES)
    numbers = {name: array.astype("float32") for name, array in draw(random).items()}
    x = random.normal(0, 1, (rows, WIDTH)).astype("float32")
    times = numpy.concatenate([numpy.cumsum(random.exponential(1, size)) for size in SIZES]).astype("float32")
    targets = numpy.array([[1], [0], [1]], dtype="float32")
    p = {name: torch.tensor(array, requires_grad=True) for name, array in numbers.items()}
    inputs = torch.tensor(x, requires_grad=True)
    loss = loss_of(p, inputs, torch.tensor(times), torch.tensor(targets))
    loss.backward()
    arrays = {"x": x, "times": times.reshape(-1, 1), "targets": targets, "loss": loss.detach().numpy().reshape(1, 1),
              "gradient.x": inputs.grad.numpy(), **{f"parameter.{n}": a for n, a in numbers.items()},
              **{f"gradient.{n}": p[n].grad.numpy() for n in numbers}}
    write(path, arrays, {"made_by": "transformer.py", "torch": torch.__version__, "sizes": " ".join(map(str, SIZES))})


if __name__ == "__main__":
    main(sys.argv[1])

"""PyTorch: scaled_dot_product_attention, forward and backward (before 2.0: the product, softmax, product it stands for);
compiled FlexAttention, forward (its backward is not there on a CPU). Inputs lie as its kernel likes them: head by head.
"""
from peer import Cannot, Inputs, serve   # first: it keeps the standard output for the replies

import math
import os

import numpy
import torch
import torch.nn.functional

LOG_RATE, NEIGHBOURS = -5.0, 16   # as in problem.cpp


def plain_attention(queries, keys, values, bias=None):
    scores = queries @ keys.transpose(-1, -2) / math.sqrt(queries.shape[-1])
    return torch.softmax(scores if bias is None else scores + bias, -1) @ values


fused_attention = getattr(torch.nn.functional, "scaled_dot_product_attention", plain_attention)


def causal_decay_bias(times, log_rate):
    """(N, N); a gradient to the rate keeps PyTorch off its fused kernel."""
    age = times[:, None] - times[None, :]
    return torch.where(age >= 0, -torch.exp(log_rate) * age, torch.tensor(-math.inf))


class Torch:
    def prepare(self, fields):
        self.inputs = Inputs(fields)
        to_tensor = lambda array: torch.from_numpy(numpy.ascontiguousarray(array.swapaxes(0, 1)))[None]
        self.queries, self.keys, self.values, self.output_gradient = map(to_tensor, (
            self.inputs.queries, self.inputs.keys, self.inputs.values, self.inputs.output_gradient))
        self.times, self.log_rate = torch.from_numpy(self.inputs.times), torch.tensor(LOG_RATE)
        self.decays, self.passes = fields.get("modifiers") == "causal_decay", fields.get("pass", "forward")
        self.flex = fields.get("system") == "flex"
        self.neighbours = fields.get("modifiers") == "neighbours"
        if (fields.get("score") == "gaussian") != self.neighbours:
            raise Cannot("has no such scores")
        if self.flex and self.passes != "forward":
            raise Cannot("FlexAttention has no backward pass on a CPU")
        self.leaves = [self.queries, self.keys, self.values] + ([self.log_rate] if self.decays else [])
        for leaf in self.leaves if self.passes != "forward" else []:
            leaf.requires_grad_()
        self.attend = self.flex_attention() if self.flex else self.attention
        if self.passes == "backward":
            self.outputs = self.attend()

    def nearest_attention(self):
        """Dense and masked: what there is for lists of neighbours."""
        points = self.queries[0, 0]
        distances = torch.cdist(points, points, compute_mode="donot_use_mm_for_euclid_dist")
        nearest = distances.topk(NEIGHBOURS, largest=False).indices
        mask = torch.full_like(distances, -math.inf).scatter_(1, nearest, 0.0)
        return (torch.softmax(mask - distances.square() / 2, -1) @ self.values[0, 0])[None, None]

    def attention(self):
        if self.neighbours:
            return self.nearest_attention()
        if self.decays:
            bias = causal_decay_bias(self.times, self.log_rate)
            return fused_attention(self.queries, self.keys, self.values, bias)
        return fused_attention(self.queries, self.keys, self.values)

    def flex_attention(self):
        from torch.nn.attention.flex_attention import create_block_mask, flex_attention
        compiled, rows, mask, score = torch.compile(flex_attention), self.queries.shape[2], None, None
        if self.decays:
            times, rate = self.times, torch.exp(self.log_rate)
            mask = create_block_mask(lambda b, h, i, j: i >= j, None, None, rows, rows, device="cpu")
            score = lambda s, b, h, i, j: s - rate * (times[i] - times[j])
        return lambda: compiled(self.queries, self.keys, self.values, score_mod=score, block_mask=mask)

    def run(self):
        if self.passes == "forward":
            with torch.inference_mode():
                self.outputs = self.attend()
            return
        if self.passes == "both":
            self.outputs = self.attend()
        self.gradients = torch.autograd.grad(self.outputs, self.leaves, self.output_gradient,
                                             retain_graph=self.passes == "backward")

    def answer(self):
        to_rows = lambda tensor: tensor[0].transpose(0, 1).numpy()
        parts = [] if self.passes == "backward" else [to_rows(self.outputs.detach())]
        if self.passes != "forward":
            parts += [to_rows(gradient) for gradient in self.gradients[:3]]
            parts += [gradient.reshape(1).numpy() for gradient in self.gradients[3:]]
        return parts


torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
serve(Torch(), torch.__version__)

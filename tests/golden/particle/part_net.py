"""The Particle Transformer (Qu, Li, Qian 2022) in PyTorch, with the names of its published program's parameters (weaver-core), for
massless particles. part.py makes golden numbers with it, tests/benchmarks compares times with it."""
import torch
from torch import nn

INPUTS, PAIR_FEATURES, LEAST = 7, 4, 1e-8


class Embedding(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self.input_bn = nn.BatchNorm1d(INPUTS)
        parts = []
        for columns, width in zip([INPUTS, *widths], widths):
            parts += [nn.LayerNorm(columns), nn.Linear(columns, width), nn.GELU()]
        self.embed = nn.Sequential(*parts)

    def forward(self, x):
        """(B, N, 7) in, (B, N, width) out."""
        return self.embed(self.input_bn(x.transpose(1, 2)).transpose(1, 2))


def sinh_by_series(x):
    """For |x| < 1, by operations that every exchange format has."""
    square = x * x
    return x * (1 + square / 6 * (1 + square / 20 * (1 + square / 42 * (1 + square / 72))))


def pair_features(a, b, sinh=torch.sinh):
    """ln kT, ln z, ln dR, ln m2 of particles (..., 3) = (y, phi, pT) each: (..., 4). Stable: nothing of like size is subtracted."""
    turn = torch.remainder(a[..., 1] - b[..., 1] + torch.pi, 2 * torch.pi) - torch.pi
    along, least = a[..., 0] - b[..., 0], torch.minimum(a[..., 2], b[..., 2])
    apart = torch.sqrt(along ** 2 + turn ** 2)
    mass = 4 * a[..., 2] * b[..., 2] * (sinh(along / 2) ** 2 + torch.sin(turn / 2) ** 2)
    return torch.log(torch.stack([least * apart, least / (a[..., 2] + b[..., 2]), apart, mass], -1).clamp(min=LEAST))


class PairEmbedding(nn.Module):
    def __init__(self, widths):
        super().__init__()
        parts = [nn.BatchNorm1d(PAIR_FEATURES)]
        for columns, width in zip([PAIR_FEATURES, *widths], widths):
            parts += [nn.Conv1d(columns, width, 1), nn.BatchNorm1d(width), nn.GELU()]
        self.embed = nn.Sequential(*parts[:-1])

    def forward(self, places, all_pairs):
        """(B, N, 3) in, (B, heads, N, N) out. all_pairs: each pair twice, as graphs without indexing need it."""
        count, length, _ = places.shape
        if all_pairs:
            found = self.embed(pair_features(places[:, :, None], places[:, None], sinh_by_series).flatten(1, 2).transpose(1, 2))
            return found.unflatten(2, (length, length))
        i, j = torch.tril_indices(length, length)
        found = self.embed(pair_features(places[:, i], places[:, j]).transpose(1, 2))
        both = found.new_zeros(count, found.shape[1], length, length)
        both[:, :, i, j] = found
        both[:, :, j, i] = found
        return both


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.in_proj_weight, self.in_proj_bias = nn.Parameter(torch.empty(3 * width, width)), nn.Parameter(torch.zeros(3 * width))
        self.out_proj = nn.Linear(width, width)
        nn.init.xavier_uniform_(self.in_proj_weight)

    def forward(self, queries, keys, mask):
        width = queries.shape[-1]
        split = lambda x: x.unflatten(-1, (self.heads, width // self.heads)).transpose(1, 2)
        if queries is keys:
            q, k, v = nn.functional.linear(keys, self.in_proj_weight, self.in_proj_bias).chunk(3, -1)
        else:
            q = nn.functional.linear(queries, self.in_proj_weight[:width], self.in_proj_bias[:width])
            k, v = nn.functional.linear(keys, self.in_proj_weight[width:], self.in_proj_bias[width:]).chunk(2, -1)
        found = nn.functional.scaled_dot_product_attention(split(q), split(k), split(v), attn_mask=mask)
        return self.out_proj(found.transpose(1, 2).flatten(2))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.pre_attn_norm, self.post_attn_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attn = Attention(width, heads)
        self.pre_fc_norm, self.post_fc_norm = nn.LayerNorm(width), nn.LayerNorm(4 * width)
        self.fc1, self.fc2 = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.c_attn, self.w_resid = nn.Parameter(torch.ones(heads)), nn.Parameter(torch.ones(width))

    def forward(self, x, mask, classes=None):
        """classes: those alone ask, themselves and x."""
        if classes is None:
            kept, asked = x, self.pre_attn_norm(x)
            found = self.attn(asked, asked, mask)
        else:
            kept = classes
            found = self.attn(classes, self.pre_attn_norm(torch.cat([classes, x], 1)), mask)
        # The published program turns the columns of the heads over where it multiplies them by a gain each.
        found = (found.unflatten(-1, (self.heads, -1)) * self.c_attn[:, None]).transpose(2, 3).flatten(2)
        h = kept + self.post_attn_norm(found)
        return self.w_resid * h + self.fc2(self.post_fc_norm(nn.functional.gelu(self.fc1(self.pre_fc_norm(h)))))


class ParticleTransformer(nn.Module):
    def __init__(self, width=128, heads=8, blocks=8, class_blocks=2, embedding=(128, 512), pairs=(64, 64, 64), classes=2,
                 all_pairs=False):
        super().__init__()
        self.all_pairs = all_pairs
        self.embed = Embedding([*embedding, width])
        self.pair_embed = PairEmbedding([*pairs, heads])
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(blocks))
        self.cls_blocks = nn.ModuleList(Block(width, heads) for _ in range(class_blocks))
        self.cls_token = nn.Parameter(torch.zeros(1, 1, width))
        nn.init.trunc_normal_(self.cls_token, std=0.02)
        self.norm, self.fc = nn.LayerNorm(width), nn.Sequential(nn.Linear(width, classes))

    def forward(self, x, places, there):
        """x (B, N, 7), places (B, N, 3) = (y, phi, pT), there (B, N) bool: (B, classes)."""
        hidden = torch.zeros(there.shape, dtype=x.dtype).masked_fill(~there, -torch.inf)[:, None, None]
        mask = self.pair_embed(places, self.all_pairs) + hidden
        h = self.embed(x)
        for block in self.blocks:
            h = block(h, mask)
        classes = self.cls_token + torch.zeros_like(h[:, :1])   # a size that an exported graph finds anew
        seen = torch.cat([torch.zeros_like(hidden[..., :1]), hidden], -1)
        for block in self.cls_blocks:
            classes = block(h, seen, classes)
        return self.fc(self.norm(classes)[:, 0])


def shake(net, generator):
    """Gives what starts at 0 or 1 other values, so that nothing of it can be left out unseen."""
    draw = lambda array, spread: torch.randn(array.shape, generator=generator, dtype=array.dtype) * spread
    with torch.no_grad():
        for name, array in net.named_parameters():
            if array.ndim == 1:
                array += draw(array, 0.2)
            elif name == "cls_token":
                array += draw(array, 0.5)
        for name, array in net.named_buffers():
            if name.endswith("running_mean"):
                array += draw(array, 0.5)
            elif name.endswith("running_var"):
                array *= torch.exp(draw(array, 0.5))

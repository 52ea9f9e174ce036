#!/usr/bin/env python3
"""Makes part.safetensors, the weights of a small Particle Transformer under their published names, and part_jets.safetensors, a few
jets and the outputs that PyTorch 2.15 computes in double precision:

    python3 tests/golden/particle/part.py      writes both beside itself
"""
import json
import pathlib
import struct

import numpy
import torch

from part_net import ParticleTransformer, shake

HERE = pathlib.Path(__file__).parent
SIZES = (3, 1, 12, 7)
# Places of the constituents of a prong of the last jet, as towers of a calorimeter or rounded angles have them.
NEAR = (0, 1e-7, 2e-7, 1e-6, 4e-6)
PRONGS = 2
ALL_SIZES = (*SIZES, PRONGS * len(NEAR))
KINDS = {"float32": "F32", "int64": "I64"}


def drawn(random, count):
    """pT, eta and phi of particles around one axis at the seam phi = pi."""
    pt = numpy.exp(random.normal(3, 1.2, count))
    eta, phi = random.normal(0.4, 0.3, count), numpy.remainder(random.normal(3.1, 0.3, count) + numpy.pi, 2 * numpy.pi) - numpy.pi
    return pt, eta, phi


def drawn_near(random):
    """A jet of two prongs of constituents that are NEAR each other in eta, which is small so that single precision holds it."""
    count = PRONGS * len(NEAR)
    pt, eta = numpy.exp(random.normal(3, 1.2, count)), random.normal(0, 0.01, PRONGS)
    phi = numpy.float32(random.normal(0.5, 0.2, PRONGS)).astype("float64")
    eta = numpy.float32(eta[:, None] + numpy.array(NEAR)).astype("float64")
    return pt, eta.ravel(), numpy.repeat(phi, len(NEAR))


def made_jets(random):
    """Inputs in the order of the published configs (directions last), and places (y, phi, pT), of massless particles."""
    pt, eta, phi = (numpy.concatenate(both) for both in zip(drawn(random, sum(SIZES)), drawn_near(random)))
    energy = pt * numpy.cosh(eta)
    rows, first = [], 0
    for size in ALL_SIZES:
        mine = slice(first, first + size)
        p = numpy.stack([pt[mine] * numpy.cos(phi[mine]), pt[mine] * numpy.sin(phi[mine]), pt[mine] * numpy.sinh(eta[mine]),
                         energy[mine]])
        px, py, pz, e = p.sum(1)
        jet = numpy.hypot(px, py)
        d_eta = eta[mine] - numpy.arcsinh(pz / jet)
        d_phi = numpy.remainder(phi[mine] - numpy.arctan2(py, px) + numpy.pi, 2 * numpy.pi) - numpy.pi
        rows.append(numpy.stack([0.7 * (numpy.log(pt[mine]) - 1.7), 0.7 * (numpy.log(energy[mine]) - 2),
                                 0.7 * (numpy.log(pt[mine] / jet) + 4.7), 0.7 * (numpy.log(energy[mine] / e) + 4.7),
                                 4 * (numpy.hypot(d_eta, d_phi) - 0.2), d_eta, d_phi], 1))
        first += size
    return numpy.clip(numpy.concatenate(rows), -5, 5).astype("float32"), numpy.stack([eta, phi, pt], 1).astype("float32")


def write(path, arrays):
    """SafeTensors: the length of the header, the header in JSON, the numbers."""
    header, data = {}, b""
    for name, array in sorted(arrays.items(), key=lambda item: -item[1].dtype.itemsize):
        raw = numpy.ascontiguousarray(array).tobytes()
        header[name] = {"dtype": KINDS[str(array.dtype)], "shape": list(array.shape),
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def named_arrays(net):
    return {f"mod.{name}": numpy.asarray(array.numpy(), "int64" if array.dtype == torch.int64 else "float32")
            for name, array in net.state_dict().items()}


def main():
    torch.manual_seed(5)
    net = ParticleTransformer(16, 4, 2, 2, (16, 24), (8, 8, 8))
    shake(net, torch.Generator().manual_seed(6))
    write(HERE / "part.safetensors", named_arrays(net))
    x, places = made_jets(numpy.random.default_rng(7))
    net = net.double().eval()
    outputs, first = [], 0
    with torch.no_grad():
        for size in ALL_SIZES:
            mine = lambda array: torch.from_numpy(array[None, first:first + size].astype("float64"))
            outputs.append(net(mine(x), mine(places), torch.ones(1, size, dtype=torch.bool))[0].numpy())
            first += size
    write(HERE / "part_jets.safetensors", {"x": x, "places": places, "sizes": numpy.array(ALL_SIZES, "int64"),
                                           "outputs": numpy.stack(outputs).astype("float32")})
    print(numpy.stack(outputs))


if __name__ == "__main__":
    main()

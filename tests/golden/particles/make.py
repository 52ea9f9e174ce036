#!/usr/bin/env python3
"""Three jets in each layout of the field, unpacked, with numbers that stand there once, so that tests can change them.

    python3 tests/golden/particles/make.py      writes top_table.h5, atlas.h5, jetnet.h5, olympics.h5, group.h5 and
                                                packed.h5 beside itself (h5py)
"""
import pathlib

import h5py
import numpy as np

HERE = pathlib.Path(__file__).parent
SLOTS = 4
# px, py, pz, E: exact in float32. The second jet has two particles, the third one.
PARTICLES = [[(100.25, 0, 50.5, 112.5), (60.5, 8.25, 30.25, 68.25), (-20.125, 4.5, 10.5, 23.5), (2.5, 1.5, 1.25, 3.25)],
             [(80.75, -10.5, -60.25, 101.5), (30.5, -4.25, -20.75, 37.25)],
             [(-90.5, 20.25, 0.5, 92.875)]]


def pickled(names):
    """As PyTables keeps a list: pickle's protocol 0."""
    text, mark = "(lp0\n", 1
    for name in names:
        text, mark = text + f"V{name}\np{mark}\na", mark + 1
    return np.bytes_(text + ".")


def top_table(path):
    names = [f"{part}_{i}" for i in range(SLOTS) for part in ("E", "PX", "PY", "PZ")] + ["truthE", "truthPX", "truthPY", "truthPZ"]
    rows = np.zeros(3, dtype=[("index", "<i8"), ("values_block_0", "<f4", (len(names),)), ("values_block_1", "<i8", (2,))])
    for j, jet in enumerate(PARTICLES):
        for i, (px, py, pz, energy) in enumerate(jet):
            rows["values_block_0"][j, 4 * i:4 * i + 4] = energy, px, py, pz
        rows["values_block_1"][j] = j, 1 - j % 2
    rows["values_block_0"][0, -4:] = 700.5, 600.25, 50.125, 200.75
    with h5py.File(path, "w") as file:
        file.create_group("table").create_dataset("table", data=rows)
        table = file["table/table"]
        table.attrs["values_block_0_kind"] = pickled(names)
        table.attrs["values_block_1_kind"] = pickled(["ttv", "is_signal_new"])


def polar():
    """pt, eta, phi, E [3, SLOTS, 4] and the same of the jets [3, 4] with the mass in place of E."""
    cells, jets = np.zeros((3, SLOTS, 4)), np.zeros((3, 4))
    for j, jet in enumerate(PARTICLES):
        for i, (px, py, pz, energy) in enumerate(jet):
            pt = np.hypot(px, py)
            cells[j, i] = pt, np.arcsinh(pz / pt), np.arctan2(py, px), energy
        px, py, pz, energy = np.sum(jet, axis=0)
        pt = np.hypot(px, py)
        jets[j] = pt, np.arcsinh(pz / pt), np.arctan2(py, px), np.sqrt(max(0, energy**2 - px**2 - py**2 - pz**2))
    return cells, jets


def atlas(path):
    cells, jets = polar()
    with h5py.File(path, "w") as file:
        for column, name in enumerate(("pt", "eta", "phi", "E")):
            file[f"fjet_clus_{name}"] = (cells[:, :, column] * (1000 if name in ("pt", "E") else 1)).astype("<f4")
        for column, name in enumerate(("pt", "eta", "phi", "m")):
            file[f"fjet_{name}"] = (jets[:, column] * (1000 if name in ("pt", "m") else 1)).astype("<f4")
        file["labels"] = np.array([1, 0, 1], "<i4")
        file["weights"] = np.ones(3, "<f4")


def jetnet(path):
    cells, jets = polar()
    features = np.zeros((3, SLOTS, 4))
    present = cells[:, :, 0] > 0
    features[:, :, 0] = np.where(present, cells[:, :, 1] - jets[:, None, 1], 0)
    features[:, :, 1] = np.where(present, np.remainder(cells[:, :, 2] - jets[:, None, 2] + np.pi, 2 * np.pi) - np.pi, 0)
    features[:, :, 2] = cells[:, :, 0] / jets[:, None, 0]
    features[:, :, 3] = present
    with h5py.File(path, "w") as file:
        file["particle_features"] = features.astype("<f4")
        file["jet_features"] = np.column_stack([jets[:, 0], jets[:, 1], jets[:, 3], present.sum(1)]).astype("<f4")


def olympics(path):
    cells, _ = polar()
    rows = np.column_stack([cells[:, :, :3].reshape(3, -1), [1, 0, 1]])
    with h5py.File(path, "w") as file:
        frame = file.create_group("df")
        frame["axis0"] = np.arange(rows.shape[1])
        frame["block0_values"] = rows


def group(path):
    with h5py.File(path, "w") as file:
        file["offsets"] = np.array([0, 1])
        file.create_group("particles")


def packed(path):
    """Packed with a filter that nobody has."""
    with h5py.File(path, "w") as file:
        file["offsets"] = np.array([0, 1])
        settings = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        settings.set_chunk((1, 4))
        settings.set_filter(399, h5py.h5z.FLAG_OPTIONAL, (1, 2))
        h5py.h5d.create(file.id, b"particles", h5py.h5t.IEEE_F32LE, h5py.h5s.create_simple((1, 4)), settings)


for name, make in (("top_table", top_table), ("atlas", atlas), ("jetnet", jetnet), ("olympics", olympics),
                   ("group", group), ("packed", packed)):
    make(HERE / f"{name}.h5")

"""Holes filled by OpenCV and scikit-image, each where it is installed: imaging_peer.py IMAGE LOW HIGH SLICES HOLE..., of float32
NIfTI with HOLE x,y,z,size,depth. Prints a JSON object: name -> list of PSNR, and -> seconds of the last hole."""
import gzip
import json
import sys
import time

import numpy


def read(path):
    raw = (gzip.open if path.endswith(".gz") else open)(path, "rb").read()
    nx, ny, nz = map(int, numpy.frombuffer(raw, "<i2", 8, 40)[1:4])
    offset = int(numpy.frombuffer(raw, "<f4", 1, 108)[0])
    return numpy.frombuffer(raw, "<f4", nx * ny * nz, offset).reshape(nz, ny, nx).astype(float)


def ways(slices):
    """name -> function of an image in 0..1 and its mask, both [z, y, x] around the hole."""
    found = {"linear": lambda image, mask: linear(image, mask)} if slices else {}
    try:
        from skimage.restoration import inpaint_biharmonic
        found["biharmonic, scikit-image"] = inpaint_biharmonic if slices else by_slice(inpaint_biharmonic)
    except ImportError:
        pass
    try:
        import cv2
        found["Navier-Stokes, OpenCV"] = by_slice(
            lambda image, mask: cv2.inpaint(image.astype(numpy.float32), mask.astype(numpy.uint8), 3, cv2.INPAINT_NS))
    except ImportError:
        pass
    return found


def by_slice(fill):
    return lambda image, mask: numpy.stack([fill(i, m) if m.any() else i for i, m in zip(image, mask)])


def linear(image, mask):
    filled, deep = image.copy(), numpy.flatnonzero(mask.any((1, 2)))
    below, above = deep[0] - 1, deep[-1] + 1
    for z in deep:
        part = (z - below) / (above - below)
        filled[z][mask[z]] = ((1 - part) * image[below] + part * image[above])[mask[z]]
    return filled


def main(path, low, high, slices, *holes):
    low, high, slices = float(low), float(high), int(slices)
    volume = (numpy.clip(read(path), low, high) - low) / (high - low)
    answers = {name: [] for name in ways(slices)}
    seconds = dict.fromkeys(answers)
    for hole in holes:
        x, y, z, size, depth = map(int, hole.split(","))
        inside = numpy.zeros(volume.shape, bool)
        inside[z:z + depth, y:y + size, x:x + size] = True
        box = (slice(max(z - 4, 0), z + depth + 4), slice(max(y - 8, 0), y + size + 8), slice(max(x - 8, 0), x + size + 8))
        mask, truth = inside[box], volume[inside]
        image = numpy.where(mask, 0, volume[box])
        for name, fill in ways(slices).items():
            start = time.perf_counter()
            filled = fill(image, mask)[mask]
            seconds[name] = time.perf_counter() - start
            answers[name].append(float(-10 * numpy.log10(numpy.mean((filled - truth) ** 2))))
    print(json.dumps({"psnr": answers, "seconds": seconds}))


main(*sys.argv[1:])

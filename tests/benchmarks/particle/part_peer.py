"""The Particle Transformer in its published shape: weights, PyTorch's and ONNX Runtime's times of one thread.

    part_peer.py weights ANSWER_FOLDER                       part.safetensors, part.onnx, with a random net
    part_peer.py slice FILE JETS OUT                         the first jets of a ragged file
    part_peer.py forward FOLDER FILE JETS ANSWER             logits of both, jets a second
    part_peer.py training FOLDER FILE JETS ANSWER            PyTorch: forward, backward and step of sorted batches
Times are the processor's."""
import json
import pathlib
import sys
import time

import h5py
import numpy
import onnxruntime
import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "golden" / "particle"))
from part import named_arrays, write
from part_net import ParticleTransformer, shake
from torch_tagger_peer import Jets

PUBLISHED = [2, 3, 4, 5, 6, 0, 1]   # our inputs in the order of the published configs
PADDED, SMALL, TRAINED = 128, 8, 32  # all to one length; jets of a small sorted batch; of a batch that is learned from


def the_net(all_pairs=False):
    torch.manual_seed(11)
    net = ParticleTransformer(all_pairs=all_pairs)
    shake(net, torch.Generator().manual_seed(12))
    return net.eval()


def export(folder):
    net = the_net(all_pairs=True)
    write(pathlib.Path(folder, "part.safetensors"), named_arrays(net))
    example = torch.zeros(2, 5, 7), torch.rand(2, 5, 3) + 1, torch.ones(2, 5, dtype=torch.bool)
    names = ["x", "places", "there"]
    torch.onnx.export(net, example, str(pathlib.Path(folder, "part.onnx")), input_names=names, output_names=["y"], dynamo=False,
                      dynamic_axes={name: {0: "B", 1: "N"} for name in names}, opset_version=17)


class Places(Jets):
    """Also where constituents lie: eta, phi, pT."""

    def __init__(self, path, most):
        super().__init__(path, most)
        with h5py.File(path) as file:
            self.places = torch.from_numpy(file["particles"][:self.offsets[-1]][:, [1, 2, 0]].astype(numpy.float32))

    def padded(self, jets, length=0):
        sizes = self.sizes[jets]
        length = max(length, int(sizes.max()))
        x, places = torch.zeros(len(jets), length, 7), torch.ones(len(jets), length, 3)
        for row, jet in enumerate(jets):
            mine = slice(self.offsets[jet], self.offsets[jet + 1])
            x[row, :sizes[row]], places[row, :sizes[row]] = self.inputs[mine][:, PUBLISHED], self.places[mine]
        return x, places, torch.from_numpy(numpy.arange(length) < sizes[:, None])


def timed(jets, order, batch, length, compute):
    """Logits in the order of the jets, and jets a second; padding is not timed."""
    groups = [order[at:at + batch] for at in range(0, len(order), batch)]
    feeds = [jets.padded(group, length) for group in groups]
    compute(*feeds[0])
    logits, begun = numpy.zeros(len(order)), time.process_time()
    for group, feed in zip(groups, feeds):
        found = compute(*feed)
        logits[group] = found[:, 0] - found[:, 1]
    return logits, len(order) / (time.process_time() - begun)


def forward(folder, path, most):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(pathlib.Path(folder, "part.onnx")), options, providers=["CPUExecutionProvider"])
    by_onnx = lambda x, places, there: session.run(None, {"x": x.numpy(), "places": places.numpy(), "there": there.numpy()})[0]
    net, jets = the_net(), Places(path, most)
    by_size = numpy.argsort(jets.sizes, kind="stable")
    with torch.inference_mode():
        logits, torch_rate = timed(jets, by_size, SMALL, 0, lambda *feed: net(*feed).numpy())
    sorted_logits, sorted_rate = timed(jets, by_size, SMALL, 0, by_onnx)
    some = numpy.arange(min(96, len(jets.sizes)))
    _, padded_rate = timed(jets, some, 32, PADDED, by_onnx)
    return {"logits": logits.tolist(), "torch": torch_rate, "sorted": sorted_rate, "padded": padded_rate,
            "difference": float(numpy.abs(sorted_logits - logits).max())}


def training(path, most):
    """Forward, backward and step of batches of like sizes."""
    net, jets = the_net().train(), Places(path, most)
    optimizer = torch.optim.AdamW(net.parameters(), 1e-4, fused=True)
    by_size = numpy.argsort(jets.sizes, kind="stable")
    groups = [by_size[at:at + TRAINED] for at in range(0, len(by_size), TRAINED)]
    feeds, labels, begun = [jets.padded(group) for group in groups], torch.from_numpy(1 - jets.labels.astype(numpy.int64)), None
    for at in [0, *range(len(groups))]:   # the first one twice, once untimed
        optimizer.zero_grad(set_to_none=True)
        torch.nn.functional.cross_entropy(net(*feeds[at]), labels[groups[at]]).backward()
        optimizer.step()
        begun = begun or time.process_time()
    return {"rate": len(by_size) / (time.process_time() - begun)}


def cut(path, most, out):
    with h5py.File(path) as file, h5py.File(out, "w") as short:
        end = file["offsets"][most]
        for name, array in file.items():
            count = {"offsets": most + 1, "particles": end, "pid": end}.get(name, most)
            short.create_dataset(name, data=array[:count])
            short[name].attrs.update(array.attrs)
        short.attrs.update(file.attrs)


def main(what, *words):
    torch.set_num_threads(1)
    if what == "weights":
        return export(words[0])
    if what == "slice":
        return cut(words[0], int(words[1]), words[2])
    found = forward(words[0], words[1], int(words[2])) if what == "forward" else training(words[1], int(words[2]))
    found["versions"] = {"torch": torch.__version__, "onnxruntime": onnxruntime.__version__}
    pathlib.Path(words[-1]).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""ONNX Runtime's fused MultiHeadAttention (com.microsoft), forward.

For packed sets, `layout` says how they are brought to one length:
  padded     batches of `batch` sets as they come, padded to the longest of each, with a key padding mask
  sorted     the same after sorting by size, so that little is padded
  bucketed   sets of exactly the same size together: nothing padded, no mask (not open to a stream of sets)
The packing and unpacking itself is not timed.
"""
from peer import Inputs, serve   # first: it keeps the standard output for the replies

import os

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper


def model(heads, masked):
    names = ["query", "key", "value"] + (["", "mask"] if masked else [])
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["B", "S", "C"]) for name in names[:3]]
    if masked:
        inputs.append(helper.make_tensor_value_info("mask", TensorProto.INT32, ["B", "S"]))
    node = helper.make_node("MultiHeadAttention", names, ["output"], domain="com.microsoft", num_heads=heads)
    output = helper.make_tensor_value_info("output", TensorProto.FLOAT, ["B", "S", "D"])
    graph = helper.make_graph([node], "attention", inputs, [output])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()


def session(heads, masked):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(os.environ["OMP_NUM_THREADS"])
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model(heads, masked), options, providers=["CPUExecutionProvider"])


def batches_of(sizes, layout, batch):
    """Lists of set numbers."""
    order = numpy.arange(len(sizes)) if layout == "padded" else numpy.argsort(sizes, kind="stable")
    if layout == "bucketed":
        return numpy.split(order, numpy.flatnonzero(numpy.diff(sizes[order])) + 1)
    return numpy.split(order, range(batch, len(sizes), batch))


class OnnxRuntime:
    def prepare(self, fields):
        self.inputs = Inputs(fields)
        sizes = self.inputs.sizes
        self.batches = batches_of(sizes, fields.get("layout", "bucketed"), int(fields.get("batch", 1)))
        self.feeds = [self.feed(numbers) for numbers in self.batches]
        masked = any("mask" in feed for feed in self.feeds)
        self.session = session(self.inputs.heads, masked)
        for feed in self.feeds if masked else []:
            feed.setdefault("mask", numpy.ones(feed["query"].shape[:2], numpy.int32))

    def feed(self, numbers):
        sizes, starts = self.inputs.sizes[numbers], self.inputs.offsets[numbers]
        longest = sizes.max()
        arrays = {"query": self.inputs.queries, "key": self.inputs.keys, "value": self.inputs.values}
        feed = {}
        for name, packed in arrays.items():
            feed[name] = numpy.zeros((len(numbers), longest, packed[0].size), numpy.float32)
            for row, (start, size) in enumerate(zip(starts, sizes)):
                feed[name][row, :size] = packed[start:start + size].reshape(size, -1)
        if (sizes < longest).any():
            feed["mask"] = (numpy.arange(longest) < sizes[:, None]).astype(numpy.int32)
        return feed

    def run(self):
        self.outputs = [self.session.run(None, feed)[0] for feed in self.feeds]

    def answer(self):
        packed = numpy.empty_like(self.inputs.values).reshape(len(self.inputs.values), -1)
        for numbers, outputs in zip(self.batches, self.outputs):
            for number, output in zip(numbers, outputs):
                start, size = self.inputs.offsets[number], self.inputs.sizes[number]
                packed[start:start + size] = output[:size]
        return [packed]


serve(OnnxRuntime(), onnxruntime.__version__)

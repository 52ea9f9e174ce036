"""KeOps: the Gaussian-weighted mean as one reduction of exp(-|q - k|^2 / 2) (v, 1), which costs it less than its
SumSoftMaxWeight, and one division. `queries`: how many of the queries it gets; its cost is proportional to them."""
from peer import Cannot, Inputs, serve   # first: it keeps the standard output for the replies

import numpy
import pykeops
from pykeops.numpy import Genred


class Keops:
    def prepare(self, fields):
        inputs = Inputs(fields)
        if fields.get("score") != "gaussian" or inputs.heads != 1:
            raise Cannot("is compared on the Gaussian score of one head")
        queries = int(fields.get("queries", len(inputs.queries)))
        self.queries, self.keys = (numpy.ascontiguousarray(x[:, 0]) for x in (inputs.queries[:queries], inputs.keys))
        values = inputs.values[:, 0]
        self.values = numpy.concatenate([values, numpy.ones_like(values[:, :1])], 1)
        d, dv = self.keys.shape[1], self.values.shape[1]
        self.sums = Genred("Exp(-SqDist(x, y) / IntCst(2)) * b", [f"x = Vi({d})", f"y = Vj({d})", f"b = Vj({dv})"],
                           reduction_op="Sum", axis=1)

    def run(self):
        sums = self.sums(self.queries, self.keys, self.values, backend="CPU")
        self.outputs = sums[:, :-1] / sums[:, -1:]

    def answer(self):
        return [self.outputs]


serve(Keops(), pykeops.__version__)

"""NumPy, SciPy and pandas: attention of all to all as its definition says it, steps on a network by sparse matrices, and
an edge list read into compressed rows. Of the ways to sum over all pairs it takes the fastest, found on being prepared."""
from peer import Cannot, serve   # first: it keeps the standard output for the replies

import time

import numpy

try:
    import pandas
    import scipy
    import scipy.sparse
    OTHERS = f",SciPy-{scipy.__version__},pandas-{pandas.__version__}"
except ImportError:   # Debian's NumPy comes alone
    OTHERS = ""

BLOCKS = (16, 32, 64, 128, 256, 512, 1024)   # rows of pairs at a time: from the second-level cache to a few MB
SMALLEST = -700.0                        # with cut=1: e^-700 is still a normal number; below, exp is slow


class AllToAll:
    """x <- sum_j w_ij x_j, w_ij ~ exp(-(x_i - x_j)^2 / 2T), in double precision."""

    def __init__(self, x, fields):
        self.x, self.scale = x, -0.5 / float(fields["temperature"])
        self.values = numpy.stack([x, numpy.ones_like(x)], 1)
        self.result = numpy.empty_like(x)
        cuts = (False, True) if fields.get("cut") == "1" else (False,)
        ways = [(self.cost(block, cut), block, cut) for block in BLOCKS if block <= max(len(x), BLOCKS[0]) for cut in cuts]
        _, self.block, self.cut = min(ways)

    def cost(self, block, cut):
        """Seconds a row, over some rows."""
        rows = min(1024, len(self.x))
        costs = []
        for _ in range(2):
            begin = time.process_time()
            self.step(rows, block, cut)
            costs.append(time.process_time() - begin)
        return min(costs)

    def step(self, rows, block, cut):
        pairs = numpy.empty((block, len(self.x)))
        for first in range(0, rows, block):
            here = pairs[:min(block, rows - first)]
            numpy.subtract(self.x[first:first + len(here), None], self.x, out=here)
            numpy.multiply(here, here, out=here)
            numpy.multiply(here, self.scale, out=here)
            if cut:
                numpy.maximum(here, SMALLEST, out=here)
            numpy.exp(here, out=here)
            sums = here @ self.values
            self.result[first:first + len(here)] = sums[:, 0] / sums[:, 1]

    def run(self):
        self.step(len(self.x), self.block, self.cut)

    def found(self):
        return {"block": self.block, "cut": int(self.cut)}


class OnNetwork:
    """The same over oneself and one's neighbours, or with equal weights (DeGroot)."""

    def __init__(self, x, fields, folder):
        ends = [numpy.fromfile(f"{folder}/{name}", numpy.int64) for name in ("sources", "targets")]
        self.x, self.gaussian = x, fields["model"] == "attention"
        rows = numpy.concatenate([ends[0], ends[1], numpy.arange(len(x))])
        columns = numpy.concatenate([ends[1], ends[0], numpy.arange(len(x))])
        self.matrix = scipy.sparse.csr_matrix((numpy.ones(len(rows)), (rows, columns)), (len(x), len(x)))
        self.rows = numpy.repeat(numpy.arange(len(x)), numpy.diff(self.matrix.indptr))
        self.columns = self.matrix.indices
        self.scale = -0.5 / float(fields.get("temperature", 0.01))
        if not self.gaussian:
            self.matrix.data = 1.0 / numpy.diff(self.matrix.indptr)[self.rows]

    def run(self):
        if not self.gaussian:
            self.result = self.matrix @ self.x
            return
        distance = self.x[self.rows]
        distance -= self.x[self.columns]
        distance *= distance
        distance *= self.scale
        self.matrix.data = numpy.exp(distance, out=distance)
        sums = self.matrix @ numpy.stack([self.x, numpy.ones_like(self.x)], 1)
        self.result = sums[:, 0] / sums[:, 1]


class EdgeList:
    def run(self):
        table = pandas.read_csv("edges.csv")
        ends = table[table["source"] != table["target"]]
        nodes, numbered = numpy.unique(ends.to_numpy(), return_inverse=True)
        source, target = numbered.reshape(-1, 2).T
        rows = numpy.concatenate([source, target]), numpy.concatenate([target, source])
        matrix = scipy.sparse.csr_matrix((numpy.ones(len(rows[0])), rows), (len(nodes), len(nodes)))
        self.result = numpy.array([float(matrix.nnz)])


class Numpy:
    def prepare(self, fields):
        folder = fields["folder"]
        if fields["model"] == "edge_list":
            self.work = EdgeList()
            return
        x = numpy.fromfile(f"{folder}/opinions", numpy.float64)
        if int(fields.get("mean_degree", 0)) > 0:
            self.work = OnNetwork(x, fields, folder)
        elif fields["model"] == "attention":
            self.work = AllToAll(x, fields)
        else:
            raise Cannot("is compared on attention, networks and edge lists")

    def run(self):
        self.work.run()

    def found(self):
        return self.work.found() if hasattr(self.work, "found") else {}

    def answer(self):
        return [self.work.result]


serve(Numpy(), numpy.__version__ + OTHERS)

"""tigramite: PCMCI and PCMCI+ with partial correlation on a table. Its answer: for each link effect, cause, lag, strength,
p-value, counts (at a false discovery rate of `level`, PCMCI+ at its own alpha) and whether it has a direction."""
from peer import Cannot, serve   # first: it keeps the standard output for the replies

import contextlib
import io

import numpy
import tigramite
from tigramite import data_processing
from tigramite.independence_tests.parcorr import ParCorr
from tigramite.pcmci import PCMCI

MISSING = 999.0


class Tigramite:
    def prepare(self, fields):
        values = numpy.genfromtxt(fields["file"], delimiter=",", skip_header=1)
        self.fields, self.ready = fields, False
        gaps = numpy.isnan(values).any()
        frame = data_processing.DataFrame(numpy.where(numpy.isnan(values), MISSING, values),
                                          missing_flag=MISSING if gaps else None)
        self.pcmci = PCMCI(dataframe=frame, cond_ind_test=ParCorr(), verbosity=0)

    def run(self):
        if not self.ready and "once" in self.fields:   # preparing runs a pass; here that pass is the one that is timed
            self.ready = True
            return
        lags, level = int(self.fields["max_lag"]), float(self.fields.get("level", 0.05))
        with contextlib.redirect_stdout(io.StringIO()):
            if self.fields["method"] == "pcmci":
                pc_alpha = float(self.fields["pc_alpha"]) if "pc_alpha" in self.fields else 0.2
                found = self.pcmci.run_pcmci(tau_max=lags, pc_alpha=pc_alpha, alpha_level=level, fdr_method="none")
                found["decide"] = self.pcmci.get_corrected_pvalues(found["p_matrix"], tau_max=lags, tau_min=1,
                                                                   fdr_method="fdr_bh") <= level
            elif self.fields["method"] == "pcmci_plus":
                found = self.pcmci.run_pcmciplus(tau_max=lags, pc_alpha=0.01)
                found["decide"] = found["graph"] != ""
            else:
                raise Cannot(f"has no method {self.fields['method']}")
        self.result = found

    def answer(self):
        graph, values, p_values = (self.result[name] for name in ("graph", "val_matrix", "p_matrix"))
        rows = []
        for cause, effect, lag in numpy.ndindex(*p_values.shape):
            if lag == 0 and (cause == effect or self.fields["method"] == "pcmci"):
                continue
            counts, mark = bool(self.result["decide"][cause, effect, lag]), graph[cause, effect, lag]
            if mark == "<--":
                continue
            directed = mark not in ("o-o", "x-x")
            rows.append([effect, cause, lag, values[cause, effect, lag], p_values[cause, effect, lag], counts, directed])
        return [numpy.array(rows, float)]


serve(Tigramite(), getattr(tigramite, "__version__", "") or __import__("importlib.metadata").metadata.version("tigramite"))

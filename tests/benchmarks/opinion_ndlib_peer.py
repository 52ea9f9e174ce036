"""NDlib: iterations of its HKModel on the complete graph and of its AlgorithmicBiasModel on a network. It says how many
agents an iteration of HKModel moves: its assignment stands outside of the loop over the agents (its issue 263), so that an
iteration costs a sweep over all agents and moves one."""
from peer import Cannot, serve   # first: it keeps the standard output for the replies

import importlib.metadata

import networkx
import numpy
from ndlib.models import ModelConfig
from ndlib.models.opinions import AlgorithmicBiasModel, HKModel

ITERATIONS_LOOKED_AT = 4


class Ndlib:
    def prepare(self, fields):
        x = numpy.fromfile(f"{fields['folder']}/opinions", numpy.float64)
        config = ModelConfig.Configuration()
        config.add_model_parameter("epsilon", float(fields["confidence"]))
        if fields["model"] == "hegselmann_krause":
            self.model = HKModel(networkx.complete_graph(len(x)))
        elif fields["model"] == "algorithmic_bias":
            config.add_model_parameter("gamma", float(fields["homophily"]))
            graph = networkx.empty_graph(len(x))
            ends = [numpy.fromfile(f"{fields['folder']}/{name}", numpy.int64) for name in ("sources", "targets")]
            graph.add_edges_from(zip(*(end.tolist() for end in ends)))
            self.model = AlgorithmicBiasModel(graph)
        else:
            raise Cannot("has no such model")
        self.model.set_initial_status(config)
        for agent, opinion in enumerate(x):
            self.model.status[agent] = float(opinion)
        self.model.iteration()   # the first only reports the initial state

    def run(self):
        self.model.iteration()

    def found(self):
        moved = 0
        for _ in range(ITERATIONS_LOOKED_AT):
            before = dict(self.model.status)
            self.run()
            moved += sum(self.model.status[agent] != opinion for agent, opinion in before.items())
        return {"moved": moved / ITERATIONS_LOOKED_AT}

    def answer(self):
        return [numpy.array(list(self.model.status.values()))]


serve(Ndlib(), importlib.metadata.version("ndlib"))

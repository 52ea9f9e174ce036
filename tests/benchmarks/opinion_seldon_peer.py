"""Seldon, by its Python package pyseldonlib: iterations of its Deffuant and activity-driven models from its own random
start. Its building of a network that these models do not use is not timed; nothing but its last state is written."""
from peer import Cannot, serve   # first: it keeps the standard output for the replies

import importlib.metadata
import tempfile

import numpy
from pyseldonlib import Activity_Driven_Model, Deffuant_Model, Other_Settings


class Seldon:
    def prepare(self, fields):
        self.agents = int(fields["agents"])
        other = Other_Settings(n_output_agents=None, n_output_network=None, print_progress=False, output_initial=False,
                               start_output=2**30, number_of_agents=self.agents, connections_per_agent=1)
        if fields["model"] == "deffuant":
            self.model = Deffuant_Model(max_iterations=1, homophily_threshold=float(fields.get("confidence", 0.2)), mu=0.5,
                                        rng_seed=1, other_settings=other)
        elif fields["model"] == "activity":
            self.model = Activity_Driven_Model(max_iterations=1, dt=0.01, m=10, eps=0.01, gamma=2.1, alpha=3.0,
                                               homophily=float(fields.get("homophily", 1)), reciprocity=0.5, K=3.0,
                                               rng_seed=1, other_settings=other)
        else:
            raise Cannot("has no such model")

    def run(self):
        with tempfile.TemporaryDirectory() as folder:
            self.model._simulation.run(folder)   # one iteration more each time

    def answer(self):
        agents = self.model._simulation.network.agent
        return [numpy.array([agents[i].data.opinion for i in range(self.agents)])]


serve(Seldon(), importlib.metadata.version("pyseldonlib"))

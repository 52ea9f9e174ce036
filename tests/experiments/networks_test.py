"""Networks in the formats of other programs: what networkx writes is read, and what fovea exports networkx reads."""
import json
import unittest

import networkx

from fovea_command import CommandTest

WRITERS = {"graphml": networkx.write_graphml, "gexf": networkx.write_gexf, "gml": networkx.write_gml,
           "net": networkx.write_pajek}


def club():
    """Zachary's club with the camps after the split, under names that are no numbers."""
    whole, graph = networkx.karate_club_graph(), networkx.Graph()
    for node, data in whole.nodes(data=True):
        graph.add_node(f"member {node} é", club=data["club"], age=float(node))
    for one, other, data in whole.edges(data=True):
        graph.add_edge(f"member {one} é", f"member {other} é", weight=float(data.get("weight", 1)))
    return graph


class Networks(CommandTest):
    def test_every_format_of_networkx_has_its_modularity(self):
        graph = club()
        sides = {}
        for node, data in graph.nodes(data=True):
            sides.setdefault(data["club"], set()).add(node)
        expected = networkx.algorithms.community.modularity(graph, sides.values(), weight="weight")
        (self.folder / "nodes.csv").write_text(
            "node,club\n" + "".join(f"{node},{data['club']}\n" for node, data in graph.nodes(data=True)), encoding="utf-8")
        for ending, write in WRITERS.items():
            with self.subTest(ending):
                write(graph, self.folder / f"club.{ending}")
                table = ["nodes.csv"] if ending == "net" else []  # which keeps no attributes
                done = self.expect(0, "measure", *table, "--edges", f"club.{ending}", "--edge-weights", "--draws", 0,
                                   "--null-draws", 0, "--json")
                measures = {one["measure"]: one["value"] for one in json.loads(done.stdout)["groups"][0]["measures"]}
                self.assertAlmostEqual(measures["modularity"], expected, delta=1e-12)
                # Names are those of a table, whatever the letters.
                done = self.expect(0, "measure", "nodes.csv", "--edges", f"club.{ending}", "--draws", 0, "--null-draws", 0)
                self.assertNotIn(" not in nodes.csv", done.stdout)

    def test_what_is_exported_is_measured_by_its_attributes(self):
        networkx.write_graphml(club(), self.folder / "club.graphml")
        result = self.simulate("network.edges=club.graphml", "model.name=degroot", "run.steps=3")
        self.expect(0, "export", result, "--graphml", "out.graphml")
        done = self.expect(0, "measure", "--edges", "out.graphml", "--value", "final_opinion", "--draws", 0, "--null-draws", 0,
                           "--json")
        measures = {one["measure"]: one["value"] for one in json.loads(done.stdout)["groups"][0]["measures"]}
        back = networkx.read_graphml(self.folder / "out.graphml")
        opinions = [data["final_opinion"] for _, data in back.nodes(data=True)]
        self.assertAlmostEqual(measures["mean"], sum(opinions) / len(opinions), delta=1e-12)
        self.assertAlmostEqual(measures["value_assortativity"],
                               networkx.numeric_assortativity_coefficient(back, "final_opinion"), delta=1e-9)

    def simulate(self, *settings):
        sets = [word for setting in settings for word in ("--set", setting)]
        done = self.expect(0, "run", "opinion.simulate", "--set", "network.kind=edges", *sets)
        return next(line.split()[1] for line in done.stdout.splitlines() if line.startswith("result"))

    def test_a_run_is_exported_with_names_opinions_camps_and_weights(self):
        graph = networkx.DiGraph()
        graph.add_weighted_edges_from([("Ann", "Bob", 2.5), ("Bob", "Ann", 1.0), ("Cy", "Ann", 3.0), ("Bob", "Dee", 0.5)])
        networkx.write_gexf(graph, self.folder / "trust.gexf")
        (self.folder / "start.csv").write_text("node,opinion\nAnn,0\nBob,1\nCy,2\nDee,-1\n")
        result = self.simulate("network.edges=trust.gexf", "network.directed=true", "network.use_weights=true",
                               "model.name=degroot", "start.kind=file", "start.file=start.csv", "run.steps=200")
        self.assertEqual(self.expect(0, "export", result, "--graphml", "out.graphml").stdout, "out.graphml\n")
        back = networkx.read_graphml(self.folder / "out.graphml")
        self.assertTrue(back.is_directed())
        name = networkx.get_node_attributes(back, "label")
        self.assertEqual(sorted(name.values()), ["Ann", "Bob", "Cy", "Dee"])
        self.assertEqual({(name[a], name[b]): data["weight"] for a, b, data in back.edges(data=True)},
                         {(a, b): data["weight"] for a, b, data in graph.edges(data=True)})
        for data in (data for _, data in back.nodes(data=True)):  # all follow Cy, who hears nobody
            self.assertAlmostEqual(data["final_opinion"], 2, delta=1e-3)
            self.assertEqual(data["final_camp"], 0)
        # What was exported is read again.
        self.simulate("network.edges=out.graphml", "network.directed=true", "network.use_weights=true",
                      "model.name=degroot", "start.kind=file", "start.file=start.csv", "run.steps=3")

    def test_an_attribute_gives_the_groups_of_the_start(self):
        networkx.write_gml(club(), self.folder / "club.gml")
        groups = ["network.edges=club.gml", "model.name=degroot", "start.kind=groups", "run.steps=3"]
        self.simulate(*groups, "network.label_column=club")
        sets = [word for setting in groups + ["network.kind=edges"] for word in ("--set", setting)]
        self.fails(3, "start.kind", "run", "opinion.simulate", *sets)
        self.fails(4, "must be one of the columns age, club", "run", "opinion.simulate", *sets, "--set",
                   "network.label_column=side")

    def test_what_is_no_network_is_refused(self):
        self.fails(4, "holds no network", "export", self.run_without_network(), "--graphml", "x.graphml")
        self.fails(2, "--csv", "export", "runs", "--graphml", "x.graphml", "--csv")

    def run_without_network(self):
        done = self.expect(0, "run", "opinion.simulate", "--set", "agents.count=20", "--set", "run.steps=2")
        return next(line.split()[1] for line in done.stdout.splitlines() if line.startswith("result"))

    def fails(self, code, words, *command):
        done = self.expect(code, *command)
        self.assertIn(words, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()

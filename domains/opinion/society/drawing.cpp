#include "fovea/domains/opinion/society/drawing.hpp"

#include "fovea/core/data/rows.hpp"

namespace fovea::opinion::society {

void write_places(const Graph& graph, const std::string& nodes, Results& results) {
  const Matrix<double> place = layout(graph);
  for (const Index axis : {0, 1})
    results.add(axis == 0 ? "node_x" : "node_y", {nodes},
                std::vector<double>(place.col(axis).begin(), place.col(axis).end()), "1",
                "position of the node in the drawing");
}

void write_edges(const Graph& graph, const std::string& node, Results& results) {
  results.data.dimension("edge", graph.edges.size());
  rows("edge", graph.edges)
      .integer(
          "edge_source", [](const Edge& edge) { return edge[0]; }, node + " at one end of the edge")
      .integer(
          "edge_target", [](const Edge& edge) { return edge[1]; }, node + " at the other end of the edge")
      .write(results);
}

}  // namespace fovea::opinion::society

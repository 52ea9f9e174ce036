#pragma once
/// A network as a page draws it.

#include <string>

#include "fovea/core/data/results.hpp"
#include "fovea/domains/opinion/society/graph.hpp"

namespace fovea::opinion::society {

/// node_x and node_y over the dimension of its nodes: their places by layout().
void write_places(const Graph& graph, const std::string& nodes, Results& results);

/// The dimension edge with edge_source and edge_target. node: what they are the numbers of, such as "agent".
void write_edges(const Graph& graph, const std::string& node, Results& results);

}  // namespace fovea::opinion::society

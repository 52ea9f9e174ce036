#pragma once
/// The network of `fovea measure`, with the side of each node, and random twins of it.

#include <memory>
#include <string>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/core/config/config.hpp"
#include "fovea/domains/opinion/measure/answers.hpp"
#include "fovea/domains/opinion/society/graph.hpp"

namespace fovea::opinion::measure {

/// Where sides come from.
enum class SidesFrom { labels, opinions, network };

struct Ties {
  society::Graph graph;            ///< undirected; weights where network.use_weights
  std::vector<std::string> names;  ///< of its nodes
  std::vector<Index> side;         ///< of each node, the largest side first; -1: not known
  std::vector<std::string> side_names;
  std::vector<double> opinion;  ///< of each node, NaN where none is known; empty: of none
  SidesFrom from = SidesFrom::labels;
  std::vector<std::string> notes;
};

/// Reads network.edges, or Zachary's club with the clubs its members joined where neither a table nor edges are given.
/// answers: what the table says of nodes; nullptr where there is none. Throws DataError.
Ties read_ties(const Config& config, const Answers* answers);

/// The measures of the table that need a network, alphabetical: assortativity, ei_index, modularity,
/// random_walk_controversy, value_assortativity.
const std::vector<std::string>& tie_measures();

/// Their values, NaN where one is not defined. Nodes without a side, or without an opinion, are left out with their
/// edges; random walks pass through them and are between the two largest sides. weights: of the edges in place of the
/// graph's own, > 0; empty: these.
std::vector<double> measure_ties(const Ties& ties, const std::vector<Index>& side, Index hubs,
                                 const std::vector<double>& weights = {});

/// The same degrees, other neighbours: ten times as many pairs of edges as there are exchange their ends, where that
/// makes neither a loop nor an edge twice (Maslov and Sneppen 2002). An edge keeps its weight.
society::Graph rewired(const society::Graph& graph, const Random& random);

}  // namespace fovea::opinion::measure

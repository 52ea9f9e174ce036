#pragma once
/// A network: who is connected to whom, how strongly, and what is known about each node.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "fovea/core/data/finding.hpp"

namespace fovea::datasets::network {

/// One connection between nodes numbered from 0; for an undirected network the order means nothing.
struct NetworkEdge {
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  double weight = 1;  ///< finite; >= 0 unless EdgeRules says otherwise
};

/// For each node the nodes at the other end of its edges, ascending, in compressed rows.
struct Adjacency {
  std::vector<std::size_t> offsets;       ///< (nodes + 1) where a node's neighbours begin
  std::vector<std::uint32_t> neighbours;  ///< all nodes' neighbours, one after the other
  std::vector<double> weights;            ///< of the same edges; empty: all 1

  std::span<const std::uint32_t> of(std::size_t node) const;
  std::span<const double> weights_of(std::size_t node) const;  ///< empty where all weights are 1 and none is kept
  double weight(std::size_t place) const { return weights.empty() ? 1.0 : weights[place]; }
};

struct Network {
  std::size_t nodes = 0;
  bool directed = false;
  std::vector<std::string> names;                          ///< (nodes)
  std::vector<NetworkEdge> edges;                          ///< once each, ascending; undirected: source < target
  std::map<std::string, std::vector<std::string>> labels;  ///< column -> label of each node, "" where unknown
  std::size_t self_loops = 0;                              ///< dropped, or kept as EdgeRules says
  std::size_t merged = 0;                                  ///< edges given again, whose weight was added
  std::size_t directions = 0;      ///< edges of an undirected network that have a direction in their file
  std::vector<std::string> notes;  ///< what is worth saying of how the files were read, a sentence each
  std::vector<Finding> findings;   ///< what the files are and what of them is not used, see findings.hpp
};

/// How edges are put in order.
struct EdgeRules {
  bool directed = false;
  bool keep_loops = false;  ///< self-loops stay among the edges
  bool negative = false;    ///< weights may be < 0
};

/// Puts edges in order: self-loops are dropped (unless they are kept) and counted; edges given more than once
/// (undirected: in either direction) become one with the sum of their weights, summed in the order given. Names are the
/// numbers. Throws ArgumentError for a node >= nodes, or a weight that is negative (unless it may be) or not finite.
/// O(nodes + edges).
Network make_network(std::size_t nodes, std::vector<NetworkEdge> edges, const EdgeRules& rules);
Network make_network(std::size_t nodes, std::vector<NetworkEdge> edges, bool directed = false);

/// Each node's edges by their targets, or by their sources. Of an undirected network both are the same: every edge in
/// both directions. Made anew by each call, in O(nodes + edges).
Adjacency outgoing(const Network& network);
Adjacency incoming(const Network& network);

}  // namespace fovea::datasets::network

#include "fovea/datasets/network/network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::network {
namespace {

/// Sorts edges by source, then target, keeping the order of equal ones: two passes of counting sort, O(nodes + edges).
void sort_edges(std::size_t nodes, std::vector<NetworkEdge>& edges) {
  std::vector<NetworkEdge> sorted(edges.size());
  for (const auto key : {&NetworkEdge::target, &NetworkEdge::source}) {
    std::vector<std::size_t> start(nodes + 1, 0);
    for (const NetworkEdge& edge : edges) ++start[edge.*key + 1];
    for (std::size_t node = 0; node < nodes; ++node) start[node + 1] += start[node];
    for (const NetworkEdge& edge : edges) sorted[start[edge.*key]++] = edge;
    edges.swap(sorted);
  }
}

/// Sorted edges: the same ends become one.
std::size_t merge_equal(std::vector<NetworkEdge>& edges) {
  std::size_t kept = 0;
  for (const NetworkEdge& edge : edges) {
    if (kept > 0 && edges[kept - 1].source == edge.source && edges[kept - 1].target == edge.target)
      edges[kept - 1].weight += edge.weight;
    else
      edges[kept++] = edge;
  }
  const std::size_t merged = edges.size() - kept;
  edges.resize(kept);
  return merged;
}

/// Rows by the node at `from`; edges come ascending, so an undirected row gets its smaller neighbours first.
Adjacency make_rows(const Network& network, std::uint32_t NetworkEdge::*from, std::uint32_t NetworkEdge::*to) {
  Adjacency rows;
  rows.offsets.assign(network.nodes + 1, 0);
  for (const NetworkEdge& edge : network.edges) {
    ++rows.offsets[edge.*from + 1];
    if (!network.directed) ++rows.offsets[edge.*to + 1];
  }
  for (std::size_t node = 0; node < network.nodes; ++node) rows.offsets[node + 1] += rows.offsets[node];
  rows.neighbours.resize(rows.offsets.back());
  rows.weights.resize(rows.offsets.back());
  std::vector<std::size_t> next(rows.offsets.begin(), rows.offsets.end() - 1);
  const auto put = [&](std::uint32_t node, std::uint32_t neighbour, double weight) {
    rows.neighbours[next[node]] = neighbour;
    rows.weights[next[node]++] = weight;
  };
  if (!network.directed)
    for (const NetworkEdge& edge : network.edges) put(edge.*to, edge.*from, edge.weight);
  for (const NetworkEdge& edge : network.edges) put(edge.*from, edge.*to, edge.weight);
  return rows;
}

}  // namespace

std::span<const std::uint32_t> Adjacency::of(std::size_t node) const {
  return std::span(neighbours).subspan(offsets.at(node), offsets.at(node + 1) - offsets.at(node));
}

std::span<const double> Adjacency::weights_of(std::size_t node) const {
  if (weights.empty()) return {};
  return std::span(weights).subspan(offsets.at(node), offsets.at(node + 1) - offsets.at(node));
}

Network make_network(std::size_t nodes, std::vector<NetworkEdge> edges, bool directed) {
  return make_network(nodes, std::move(edges), EdgeRules{directed, false, false});
}

Network make_network(std::size_t nodes, std::vector<NetworkEdge> edges, const EdgeRules& rules) {
  require(nodes <= std::numeric_limits<std::uint32_t>::max(), "make_network: ", nodes,
          " nodes are more than 2^32 - 1; take a part of the network.");
  Network network;
  network.nodes = nodes;
  network.directed = rules.directed;
  for (NetworkEdge& edge : edges) {
    require(edge.source < nodes && edge.target < nodes, "make_network: there is an edge ", edge.source, " - ",
            edge.target, ", but the nodes are 0 to ", nodes, " - 1.");
    require(std::isfinite(edge.weight) && (rules.negative || edge.weight >= 0), "make_network: edge ", edge.source,
            " - ", edge.target, " has weight ", edge.weight,
            rules.negative ? "; it must be finite." : "; it must be finite and >= 0.");
    if (!rules.directed && edge.source > edge.target) std::swap(edge.source, edge.target);
  }
  const auto is_loop = [](const NetworkEdge& edge) { return edge.source == edge.target; };
  network.self_loops = std::count_if(edges.begin(), edges.end(), is_loop);
  if (!rules.keep_loops) std::erase_if(edges, is_loop);
  sort_edges(nodes, edges);
  network.merged = merge_equal(edges);
  network.edges = std::move(edges);
  network.names.reserve(nodes);
  for (std::size_t node = 0; node < nodes; ++node) network.names.push_back(std::to_string(node));
  return network;
}

Adjacency outgoing(const Network& network) { return make_rows(network, &NetworkEdge::source, &NetworkEdge::target); }

Adjacency incoming(const Network& network) {
  if (!network.directed) return outgoing(network);
  return make_rows(network, &NetworkEdge::target, &NetworkEdge::source);
}

}  // namespace fovea::datasets::network

#pragma once
/// A network as the measures need it, what is measured on it, and a place for each node on the page.

#include <span>
#include <string>
#include <vector>

#include "fovea/core/attention/modifier.hpp"
#include "fovea/datasets/network/network.hpp"
#include "fovea/domains/opinion/society/networks.hpp"

namespace fovea::opinion::society {

/// Simple. weights: one for each edge, > 0; empty: all 1. Directed: the second node of an edge hears the first, and the
/// edges ascend; its weights may be negative where the model has repulsion.
struct Graph {
  Index nodes = 0;
  std::vector<Edge> edges;
  std::vector<double> weights;
  bool directed = false;
  std::vector<double> own = {};  ///< directed: W_ii >= 0 of each node; empty: the same for all
  double weight(std::size_t edge) const { return weights.empty() ? 1.0 : weights[edge]; }
};

/// The same nodes and ties without directions: the weights of both directions of a pair are added, their signs dropped.
/// What is undirected is copied.
Graph undirected(const Graph& graph);

/// Each node's neighbours (directed: those whom it hears), ascending, in compressed rows, with the weights of their
/// edges (none if the graph has none). Made once in O(nodes + edges), for whoever goes over all neighbours again and
/// again. Throws ArgumentError for an edge to a node that is not there or to itself, and where not every edge has a
/// weight.
datasets::network::Adjacency adjacency(const Graph& graph);

/// Modularity of a partition (Newman and Girvan 2004):  Q = sum_c [ W_c / W - (D_c / 2W)^2 ], W_c the weight inside
/// group c, D_c its degree sum, W all weight. Range [-1/2, 1); 0 for one group and for no edges. group: of each node,
/// numbers >= 0. Zachary's club with the split that really happened, unweighted: 0.358235.
double modularity(const Graph& graph, std::span<const Index> group);

/// Assortativity of groups (Newman 2003, eq. 2):  (tr e - |e^2|) / (1 - |e^2|), e_ab the share of edge ends that lead
/// from group a to b. Range [-1, 1]; 1 when no edge leaves its group. NaN where one group holds every edge.
double assortativity(const Graph& graph, std::span<const Index> group);

/// E-I index (Krackhardt and Stern 1988):  (E - I) / (E + I), E the weight of edges between groups, I of those within.
/// Range [-1, 1]; -1 when no edge leaves its group. NaN without edges.
double ei_index(const Graph& graph, std::span<const Index> group);

/// Assortativity of a number (Newman 2003, eq. 21): the correlation of the values at the two ends of an edge, each edge
/// taken in both directions, by weight. Range [-1, 1]; NaN where all ends have the same value, and without edges.
double value_assortativity(const Graph& graph, std::span<const double> value);

/// Label propagation (Zhu and Ghahramani 2002), two classes: known nodes keep their value (+1 or -1), each other node
/// takes the weighted mean of its neighbours, until no value changes by `tolerance` or more in a round (at most
/// max_rounds). start: known values, 0 elsewhere; known: who keeps it. The sign of the result is the class; 0 where no
/// known node can be reached.
std::vector<double> label_propagation(const Graph& graph, std::span<const double> start,
                                      std::span<const std::uint8_t> known, double tolerance = 1e-9,
                                      int max_rounds = 100000);

/// 1 for each node that some known node can be reached from (known nodes included), else 0.
std::vector<std::uint8_t> reachable(const Graph& graph, std::span<const std::uint8_t> known);

/// The connected part of each node, numbered from 0 by their first node.
std::vector<Index> connected_parts(const Graph& graph);

/// "It has 2 parts without an edge between them. 3 nodes have no edge."; "" for a connected graph.
std::string parts_in_words(const Graph& graph);

/// The nodes that are kept, numbered anew in their order, and the edges between them. kept: one mark a node.
Graph kept_part(const Graph& graph, std::span<const std::uint8_t> kept);

/// The rows of those nodes, in the same order.
Matrix<double> kept_rows(const Matrix<double>& rows, std::span<const std::uint8_t> kept);

/// Number of neighbours of each node.
std::vector<Index> degrees(const Graph& graph);

/// The share of closed triangles at a node, mean over nodes (Watts and Strogatz 1998); 0 at a node of degree < 2.
double clustering(const Graph& graph);

/// Who hears whom: the neighbours and oneself. Each entry's bias is the log of the edge weight, log self_weight for
/// oneself. self_weight > 0; directed: >= 0.
NeighbourLists hearing_lists(const Graph& graph, double self_weight);

/// A place for each node in the unit square, nodes x 2: springs along edges against repulsion of all pairs (Fruchterman
/// and Reingold 1991), stronger where a node has many neighbours (Jacomy et al. 2014), with a pull to the centre, from
/// a spiral start; no random numbers. Small unconnected parts stand in rows below. Far nodes push together (Barnes and
/// Hut 1986): O(nodes log nodes + edges) a round.
Matrix<double> layout(const Graph& graph, int rounds = 300);

}  // namespace fovea::opinion::society

#pragma once
/// A network as the measures need it, what is measured on it, and a place for each node on the page.

#include <span>
#include <string>
#include <vector>

#include "fovea/core/attention/modifier.hpp"
#include "fovea/datasets/network/network.hpp"
#include "fovea/domains/opinion/society/networks.hpp"

namespace fovea {
class Results;
}

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

/// Who hears whom: the neighbours and oneself. Each entry's bias is the log of the edge weight, log self_weight for
/// oneself. self_weight > 0; directed: >= 0.
NeighbourLists hearing_lists(const Graph& graph, double self_weight);

/// Agents who hear, directly or through others, exactly each other (a closed communicating class of a Markov chain,
/// Kemeny and Snell 1960). Whatever the others say does not reach them.
struct ClosedClass {
  std::vector<Index> members;  ///< ascending
  Index period = 1;            ///< greatest common divisor of the lengths of its cycles; above 1 opinions go round
};

/// The closed classes, by their first members. self_weight: W_ii where the graph has none of its own; signs of weights
/// do not matter. An agent who hears nobody is a class of its own. O(nodes + edges). Throws ArgumentError for an
/// undirected graph.
std::vector<ClosedClass> closed_classes(const Graph& graph, double self_weight);

/// pi >= 0 with pi' W = pi' and sum 1 over one closed class, W_ij = weight of j as i hears it, over the sum of the row:
/// the share of each member in the consensus of DeGroot (1974). By elimination without subtractions (Grassmann, Taksar
/// and Heyman 1985), which keeps every digit of small shares: O(n^3) for n members, one number each in the order of
/// members. Throws ArgumentError for negative weights.
std::vector<double> left_eigenvector(const Graph& graph, std::span<const Index> members, double self_weight);

/// A place for each node in the unit square, nodes x 2: springs along edges against repulsion of all pairs (Fruchterman
/// and Reingold 1991), stronger where a node has many neighbours (Jacomy et al. 2014), with a pull to the centre, from
/// a spiral start; no random numbers. Small unconnected parts stand in rows below. Far nodes push together (Barnes and
/// Hut 1986): O(nodes log nodes + edges) a round.
Matrix<double> layout(const Graph& graph, int rounds = 300);

/// node_x and node_y over the dimension of its nodes: their places by layout().
void write_places(const Graph& graph, const std::string& nodes, Results& results);

/// The dimension edge with edge_source and edge_target. node: what they are the numbers of, such as "agent".
void write_edges(const Graph& graph, const std::string& node, Results& results);

}  // namespace fovea::opinion::society

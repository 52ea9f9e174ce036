#pragma once
/// The network of `fovea measure`, with the side of each node, and random twins of it.

#include <memory>
#include <string>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/domains/opinion/measure/attributes.hpp"
#include "fovea/domains/opinion/society/graph.hpp"
#include "fovea/domains/opinion/survey/answers.hpp"

namespace fovea::opinion::measure {

using survey::AnswerGroup;
using survey::Answers;

/// Where sides come from.
enum class SidesFrom { labels, opinions, network };

/// What is known of the nodes in one group of rows, such as a wave; or the side of each row of a survey.
struct NodeSides {
  std::vector<Index> side;  ///< of each, the largest side first; -1: not known
  std::vector<std::string> side_names;
  std::vector<double> opinion;  ///< of each node, NaN where none is known; empty: of none
};

struct Ties : NodeSides {               ///< the sides: those of the first group
  society::Graph graph;                 ///< undirected; weights where plan.use_weights
  std::vector<std::string> names = {};  ///< of its nodes
  SidesFrom from = SidesFrom::labels;
  std::vector<NodeSides> groups = {};  ///< each group's, where the table has several; else empty
  std::vector<std::string> notes = {};
  std::vector<Finding> findings = {};  ///< what the file of edges is, and what of it and of the nodes is not used
};

/// Reads plan.edges, or Zachary's club with the clubs its members joined where neither a table nor edges are given.
/// answers: what the table says of nodes; nullptr where there is none, and set where attributes of a graph document
/// hold opinions. Of several groups the network is the same, and each has its own nodes with their sides and opinions:
/// the waves of a panel, or the members of each country. Throws DataError, also where groups have neither: sides found
/// from the network would be the same in all.
Ties read_ties(const NetworkPlan& plan, std::shared_ptr<const Answers>& answers);

/// Sides by their words, the largest first, of equal ones the first in the alphabet; "" is no side.
void number_sides(const std::vector<std::string>& words, NodeSides& of);

/// Two sides of the largest connected part, -1 elsewhere: the signs of the leading eigenvector of the modularity matrix
///   B_ij = A_ij - k_i k_j / 2m   (Newman 2006, PNAS 103, 8577, eq. 3),
/// by Lanczos steps from a fixed start, then single nodes moved, in their order and again and again, as long as that
/// raises the modularity. Side 0 is that of the first node of the part. No random numbers. O((nodes + edges) steps).
std::vector<Index> find_sides(const society::Graph& graph);

/// The measures of the table that need a network, alphabetical: assortativity, ei_index, modularity,
/// random_walk_controversy, value_assortativity.
const std::vector<std::string>& tie_measures();

/// Their values, NaN where one is not defined. Nodes without a side, or without an opinion, are left out with their
/// edges; random walks pass through them and are between the two largest sides. weights: of the edges in place of the
/// graph's own, > 0; empty: these.
std::vector<double> measure_ties(const society::Graph& graph, const NodeSides& of, Index hubs,
                                 const std::vector<double>& weights = {});

/// The same degrees, other neighbours: ten times as many pairs of edges as there are exchange their ends, where that
/// makes neither a loop nor an edge twice (Maslov and Sneppen 2002). An edge keeps its weight.
society::Graph rewired(const society::Graph& graph, const Random& random);

}  // namespace fovea::opinion::measure

#pragma once
/// Who is heard in the long run on a directed network, with fixed weights: closed classes, their periods, and the left
/// eigenvector of the matrix of weights.

#include <span>
#include <vector>

#include "fovea/domains/opinion/society/graph.hpp"

namespace fovea::opinion::society {

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

}  // namespace fovea::opinion::society

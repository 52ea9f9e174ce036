#pragma once
/// Random walks between two sides of a network.

#include <span>

#include "fovea/domains/opinion/society/graph.hpp"

namespace fovea::opinion::measures {

/// Random-walk controversy (Garimella, De Francisci Morales, Gionis, Mathioudakis 2018, ACM TSC 1, 3), solved instead
/// of simulated:  RWC = P00 P11 - P10 P01,  P_ab the probability that a walk that ended on side b had begun on side a,
/// with equal prior for both. A walk begins at an even choice among the nodes of its side, goes along an edge chosen by
/// weight, and ends at the first hub it meets. The hubs are the `hubs` nodes of each side with the most neighbours (of
/// equal ones the first; all of a smaller side). Only the largest connected part counts.
/// graph  its weights > 0
/// side   of each node 0 or 1; any other number: on neither side, only passed through
/// hubs   >= 1
/// Range [-1, 1]: 1 where no walk changes sides, 0 where a walk's end tells nothing about its beginning. NaN where a
/// side is not in the largest part. It measures how well two given sides are separated, and does not tell a
/// controversial topic from another (measures.md).
/// The chance to end on side 0 is harmonic off the hubs: conjugate gradients to a residual of 1e-13, O(edges) an
/// iteration. Throws ArgumentError for sizes and numbers out of range.
double random_walk_controversy(const society::Graph& graph, std::span<const Index> side, Index hubs);

}  // namespace fovea::opinion::measures

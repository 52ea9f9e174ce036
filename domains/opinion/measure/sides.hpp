#pragma once
/// Two sides of a network where none are given.

#include <vector>

#include "fovea/domains/opinion/society/graph.hpp"

namespace fovea::opinion::measure {

/// Two sides of the largest connected part, -1 elsewhere: the signs of the leading eigenvector of the modularity matrix
///   B_ij = A_ij - k_i k_j / 2m   (Newman 2006, PNAS 103, 8577, eq. 3),
/// by Lanczos steps from a fixed start, then single nodes moved, in their order and again and again, as long as that
/// raises the modularity. Side 0 is that of the first node of the part. No random numbers. O((nodes + edges) steps).
std::vector<Index> find_sides(const society::Graph& graph);

}  // namespace fovea::opinion::measure

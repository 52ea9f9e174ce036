#pragma once
/// The k nearest neighbours of each point, by a grid of cells.

#include "fovea/core/attention.hpp"

namespace fovea::bench {

/// coordinates N x 3, spread about evenly; each point's list holds the point itself and its count - 1 nearest others.
NeighbourLists nearest_by_grid(const Matrix<float>& coordinates, Index count);

}  // namespace fovea::bench

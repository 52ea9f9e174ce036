#pragma once
/// Axes of what is made of cells: heat maps and images.

#include <string>

#include "fovea/core/report/figures/svg.hpp"

namespace fovea {

/// Cells of equal size: a numeric axis where the coordinate or its logarithm is even, else its values as names.
Axis cell_axis(const Averaged& coordinate);

}  // namespace fovea

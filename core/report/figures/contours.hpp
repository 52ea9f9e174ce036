#pragma once
/// Lines along which values on a grid are equal, such as a prediction over what was measured.

#include <utility>
#include <vector>

#include "fovea/core/report/figures/svg.hpp"

namespace fovea {

/// Pieces of the line on which the values are `level`, in columns (x) and rows (y) counted from the first value: linear
/// between neighbours (marching squares; a saddle is cut by the mean of its four). values: rows x columns, row by row;
/// nothing is drawn beside a value that is not finite.
std::vector<std::pair<Point, Point>> contour(const std::vector<double>& values, std::size_t columns, double level);

}  // namespace fovea

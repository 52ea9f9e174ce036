#pragma once
/// Squared distances between points and boxes, with periodic axes. Internal to core/attention.
///
/// What is said of a box holds for the rounded distances to its points, not just for the exact ones: differences,
/// squares and sums are rounded monotonically and taken in the same order, and p - t is exact for p / 2 <= t <= p. So
/// whoever prunes by boxes finds the same pairs as whoever compares all.

#include <algorithm>
#include <cmath>
#include <span>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// A box in D dimensions: the smallest that holds its points.
struct BoxView {
  const double* lower;
  const double* upper;
};

/// |x - y| on an axis of that period (infinity: a straight one), for coordinates within half a period of 0.
inline double gap_on_axis(double x, double y, double period) {
  const double gap = std::abs(x - y);
  return std::min(gap, period - gap);  // where both are infinite the second is NaN, and min() takes the first
}

inline double squared_distance(const double* x, const double* y, std::span<const double> periods) {
  double sum = 0;
  for (std::size_t a = 0; a < periods.size(); ++a) {
    const double gap = gap_on_axis(x[a], y[a], periods[a]);
    sum += gap * gap;
  }
  return sum;
}

/// No point of one box is nearer to a point of the other than this.
inline double least_squared_distance(const BoxView& x, const BoxView& y, std::span<const double> periods) {
  double sum = 0;
  for (std::size_t a = 0; a < periods.size(); ++a) {
    const double least = x.lower[a] - y.upper[a], most = x.upper[a] - y.lower[a];  // of x - y
    const double near = std::max(std::max(least, -most), 0.0), far = std::max(-least, most);
    const double gap = std::min(near, periods[a] - far);
    sum += gap * gap;
  }
  return sum;
}

/// No point of one box is farther from a point of the other than this.
inline double greatest_squared_distance(const BoxView& x, const BoxView& y, std::span<const double> periods) {
  double sum = 0;
  for (std::size_t a = 0; a < periods.size(); ++a) {
    const double far = std::max(std::abs(x.lower[a] - y.upper[a]), std::abs(x.upper[a] - y.lower[a]));
    const double gap = std::min(far, periods[a] / 2);
    sum += gap * gap;
  }
  return sum;
}

/// Makes the box [lower, upper] hold the point too.
inline void widen(double* lower, double* upper, const double* point, Index dimensions) {
  for (Index a = 0; a < dimensions; ++a) {
    lower[a] = std::min(lower[a], point[a]);
    upper[a] = std::max(upper[a], point[a]);
  }
}

}  // namespace fovea

#include "fovea/core/report/figures/contours.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace fovea {
namespace {

/// The corners of a square from below left on, against the clock; edge k leads from corner k to the next.
using Corners = std::array<double, 4>;
constexpr std::array<Point, 4> kCorners{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};

Point crossing(const Corners& corners, std::size_t edge, double level) {
  const std::size_t next = (edge + 1) % 4;
  const double t = (level - corners[edge]) / (corners[next] - corners[edge]);
  return {kCorners[edge].x + t * (kCorners[next].x - kCorners[edge].x),
          kCorners[edge].y + t * (kCorners[next].y - kCorners[edge].y)};
}

/// The edges that the level crosses, in pairs that are joined.
std::vector<std::size_t> crossed_edges(const Corners& corners, double level) {
  std::vector<std::size_t> edges;
  for (std::size_t k = 0; k < 4; ++k)
    if ((corners[k] >= level) != (corners[(k + 1) % 4] >= level)) edges.push_back(k);
  if (edges.size() < 4) return edges;
  const double middle = (corners[0] + corners[1] + corners[2] + corners[3]) / 4;
  // Corners that the middle does not agree with are cut off, each by itself.
  if ((middle >= level) == (corners[0] >= level)) return {0, 1, 2, 3};
  return {3, 0, 1, 2};
}

}  // namespace

std::vector<std::pair<Point, Point>> contour(const std::vector<double>& values, std::size_t columns, double level) {
  std::vector<std::pair<Point, Point>> pieces;
  const std::size_t rows = columns == 0 ? 0 : values.size() / columns;
  for (std::size_t r = 0; r + 1 < rows; ++r) {
    for (std::size_t c = 0; c + 1 < columns; ++c) {
      const double* below = &values[r * columns + c];
      const Corners corners{below[0], below[1], below[columns + 1], below[columns]};
      if (!std::all_of(corners.begin(), corners.end(), [](double v) { return std::isfinite(v); })) continue;
      const std::vector<std::size_t> edges = crossed_edges(corners, level);
      for (std::size_t k = 0; k + 1 < edges.size(); k += 2) {
        Point from = crossing(corners, edges[k], level), to = crossing(corners, edges[k + 1], level);
        from.x += static_cast<double>(c), from.y += static_cast<double>(r);
        to.x += static_cast<double>(c), to.y += static_cast<double>(r);
        pieces.emplace_back(from, to);
      }
    }
  }
  return pieces;
}

}  // namespace fovea

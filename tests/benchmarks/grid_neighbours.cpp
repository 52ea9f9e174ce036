#include "fovea/tests/benchmarks/grid_neighbours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace fovea::bench {
namespace {

using Cell = std::array<Index, 3>;

class Grid {
 public:
  Grid(const Matrix<float>& points, Index points_per_cell) : points_(points) {
    lowest_ = points.colwise().minCoeff();
    const float extent = (points.colwise().maxCoeff() - lowest_).maxCoeff();
    const double cells = static_cast<double>(points.rows()) / static_cast<double>(points_per_cell);
    side_ = std::max(Index(1), static_cast<Index>(std::cbrt(cells)));
    width_ = std::max(extent, 1e-30F) / static_cast<float>(side_);
    sort_points();
  }

  /// The nearest `count` points, ascending by number.
  void nearest(Index point, Index count, std::vector<std::pair<float, Index>>& found) const {
    const Cell home = cell_of(point);
    for (Index ring = 1;; ++ring) {
      found.clear();
      gather(point, home, ring, found);
      const bool whole = ring >= side_;
      if (static_cast<Index>(found.size()) >= std::min(count, points_.rows())) {
        std::nth_element(found.begin(), found.begin() + (std::min(count, points_.rows()) - 1), found.end());
        found.resize(static_cast<std::size_t>(std::min(count, points_.rows())));
        // All points within ring * width of the point have been seen.
        const float safe = static_cast<float>(ring) * width_;
        if (whole || found.back().first <= safe * safe) return;
      }
    }
  }

 private:
  Cell cell_of(Index point) const {
    Cell cell{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Index a = static_cast<Index>(axis);
      cell[axis] = std::clamp(static_cast<Index>((points_(point, a) - lowest_[a]) / width_), Index(0), side_ - 1);
    }
    return cell;
  }

  std::size_t number_of(const Cell& cell) const {
    return static_cast<std::size_t>((cell[0] * side_ + cell[1]) * side_ + cell[2]);
  }

  void sort_points() {
    first_.assign(static_cast<std::size_t>(side_ * side_ * side_) + 1, 0);
    for (Index p = 0; p < points_.rows(); ++p) ++first_[number_of(cell_of(p)) + 1];
    for (std::size_t c = 1; c < first_.size(); ++c) first_[c] += first_[c - 1];
    sorted_.resize(static_cast<std::size_t>(points_.rows()));
    std::vector<Index> next(first_.begin(), first_.end() - 1);
    for (Index p = 0; p < points_.rows(); ++p) sorted_[static_cast<std::size_t>(next[number_of(cell_of(p))]++)] = p;
  }

  void gather(Index point, const Cell& home, Index ring, std::vector<std::pair<float, Index>>& found) const {
    Cell low{}, high{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::max(Index(0), home[axis] - ring);
      high[axis] = std::min(side_ - 1, home[axis] + ring);
    }
    for (Index x = low[0]; x <= high[0]; ++x)
      for (Index y = low[1]; y <= high[1]; ++y) {
        const Index begin = first_[number_of({x, y, low[2]})], end = first_[number_of({x, y, high[2]}) + 1];
        for (Index at = begin; at < end; ++at) {
          const Index other = sorted_[static_cast<std::size_t>(at)];
          found.emplace_back((points_.row(point) - points_.row(other)).squaredNorm(), other);
        }
      }
  }

  const Matrix<float>& points_;
  Eigen::RowVector3f lowest_;
  float width_ = 1;
  Index side_ = 1;
  std::vector<Index> first_;   // of each cell, in sorted_
  std::vector<Index> sorted_;  // points by cell
};

}  // namespace

NeighbourLists nearest_by_grid(const Matrix<float>& coordinates, Index count) {
  const Grid grid(coordinates, 4);
  NeighbourLists lists;
  lists.offsets.push_back(0);
  std::vector<std::pair<float, Index>> found;
  for (Index point = 0; point < coordinates.rows(); ++point) {
    grid.nearest(point, count, found);
    const std::size_t start = lists.keys.size();
    for (const auto& [distance, other] : found) lists.keys.push_back(other);
    std::sort(lists.keys.begin() + static_cast<std::ptrdiff_t>(start), lists.keys.end());
    lists.offsets.push_back(static_cast<Index>(lists.keys.size()));
  }
  return lists;
}

}  // namespace fovea::bench

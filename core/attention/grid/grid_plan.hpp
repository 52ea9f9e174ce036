#pragma once
/// A call whose queries see windows of a grid, cut into tasks. Internal to core/attention.
///
/// Rows of the grid that are `dilation` apart see each other only, so they form a class of their own, and a task is a
/// strip of some rows of a class: the rows of keys that its window needs are the side of the window, and go round in a
/// ring. How a grid is cut depends on its own size alone.

#include <cstdint>
#include <vector>

#include "fovea/core/attention/engine/problem.hpp"
#include "fovea/core/attention/engine/theta.hpp"
#include "fovea/core/attention/grid_window.hpp"

namespace fovea {

/// Columns [first_column, first_column + columns) of the rows residue + t dilation, t in [first, first + count).
struct GridTask {
  Index set = 0;
  Index head = 0;  ///< forward: of the queries; backward: of the keys
  Index residue = 0;
  Index first = 0, count = 0;
  Index first_column = 0, columns = 0;
};

template <typename Real>
class GridPlan {
 public:
  /// Whether the grid's own way can work the call off.
  static bool applies(const Problem<Real>& problem);

  explicit GridPlan(const Problem<Real>& problem);

  const Problem<Real>& problem() const { return problem_; }
  const GridWindow& window() const { return *window_; }
  /// Whether there is nothing else than the window and flags of keys.
  bool alone() const { return alone_; }
  /// The window's biases for a head; nullptr without.
  const Real* bias(Index head) const;
  /// dL/dB of that head within theta; nullptr without biases.
  Real* bias_gradient(Index head, ThetaGradients<Real>& theta) const;
  bool is_valid(Index key) const;
  bool all_valid() const { return flags_.empty(); }

  /// Strips `width` columns wide of `rows` rows. by_key: of key heads, and of all rows of queries or keys.
  std::vector<GridTask> tasks(Index rows, Index width, bool by_key) const;

  Index row(const GridTask& task, Index t) const { return task.residue + t * window_->dilation; }
  /// Queries (keys) in a row of a set's grid; 0 outside.
  Index queries_in(Index set, Index row) const;
  Index keys_in(Index set, Index row) const;
  /// Row number of the point at (row, 0) of a set.
  Index query_at(Index set, Index row) const { return problem_.first_query(set) + row * window_->width_of_set(set); }
  Index key_at(Index set, Index row) const { return problem_.first_key(set) + row * window_->width_of_set(set); }

 private:
  const Problem<Real>& problem_;
  const GridWindow* window_ = nullptr;
  std::size_t place_ = 0;  ///< among the modifiers
  bool alone_ = true;
  std::vector<const std::uint8_t*> flags_;
};

}  // namespace fovea

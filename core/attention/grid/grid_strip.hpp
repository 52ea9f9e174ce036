#pragma once
/// Rows of a strip as planes: loaded, kept in a ring, scored. Internal to core/attention.

#include <vector>

#include "fovea/core/attention/engine/prepare.hpp"
#include "fovea/core/attention/grid/grid_kernels.hpp"
#include "fovea/core/attention/grid/grid_plan.hpp"
#include "fovea/core/base/memory.hpp"

namespace fovea {

/// Room for so many points in planes: an odd number of cache lines, so that planes do not fall onto one another.
template <typename Real>
Index plane_size(Index points) {
  return (whole_lanes<Real>(points + kPlaneSlack) / kLanes<Real> | 1) * kLanes<Real>;
}

/// The rows of planes of the last `slots` steps t of a task.
template <typename Real>
class PlaneRing {
 public:
  void shape(Index slots, Index planes, Index plane) {
    slots_ = slots;
    planes_ = planes;
    plane_ = plane;
    room(memory_, slots * planes * plane + kPlaneSlack);
  }
  GridPlanes<Real> at(Index t) { return {memory_.data() + slot(t) * planes_ * plane_, plane_}; }
  GridPlanes<const Real> read(Index t) const { return {memory_.data() + slot(t) * planes_ * plane_, plane_}; }
  /// Read from column `first` on.
  GridPlanes<const Real> read(Index t, Index first) const { return {read(t).data + first, plane_}; }
  Index plane() const { return plane_; }

 private:
  Index slot(Index t) const { return (t % slots_ + slots_) % slots_; }
  Index slots_ = 1, planes_ = 0, plane_ = 0;
  AlignedVector<Real> memory_;
};

/// Points [first, first + count) of a grid's row as planes, zeros where there is none: `exist` points are there, and
/// their rows begin at `rows`.
template <typename Real>
void load_planes(const RowSource<Real>& rows, Index exist, Index first, Index count, GridPlanes<Real> planes);

/// Keys and values of a strip. Keys that are none are zeros, so that no NaN of theirs reaches anybody.
template <typename Real>
class KeyRing {
 public:
  /// The strip's keys are columns [first, first + count) of the grid.
  void start(const GridPlan<Real>& plan, const PreparedKeys<Real>& keys, const MatrixView<Real>& values, Index head,
             const GridTask& task, Index first, Index count);
  /// Row t of the task's class, also where there is none.
  void load(Index t);
  GridPlanes<const Real> keys(Index t) const { return keys_.read(t); }
  GridPlanes<const Real> keys(Index t, Index first) const { return keys_.read(t, first); }
  GridPlanes<const Real> values(Index t) const { return values_.read(t); }
  const Real* keep(Index t) const { return keep_.read(t).data; }
  bool has(Index t) const { return has_[slot(t)] != 0; }

 private:
  Index slot(Index t) const { return (t % slots_ + slots_) % slots_; }
  void drop_invalid(Index t, Index key_row, Index exist);

  const GridPlan<Real>* plan_ = nullptr;
  GridTask task_;
  RowSource<Real> key_rows_{}, value_rows_{};
  Index first_ = 0, count_ = 0, slots_ = 1;
  PlaneRing<Real> keys_, values_, keep_;
  std::vector<char> has_;
};

/// Scores of a row of queries against the window: side^2 planes, -inf where a key is none. first_column: of the
/// queries' planes, in the grid. Other modifiers are not applied if the plan has some: then only products and masks.
template <typename Real>
void score_window(const GridPlan<Real>& plan, const KeyRing<Real>& ring, Index head, Index t, Index count,
                  GridPlanes<const Real> queries, GridPlanes<Real> scores);

}  // namespace fovea

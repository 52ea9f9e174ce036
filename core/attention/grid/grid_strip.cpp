#include "fovea/core/attention/grid/grid_strip.hpp"

#include <algorithm>

namespace fovea {

template <typename Real>
void load_planes(const RowSource<Real>& rows, Index exist, Index first, Index count, GridPlanes<Real> planes) {
  const Index begin = std::clamp(-first, Index(0), count), end = std::clamp(exist - first, begin, count);
  if (begin < end)
    grid_kernels<Real>().to_planes(rows.row(first + begin), rows.stride, end - begin, rows.columns,
                                   {planes.data + begin, planes.plane});
  for (Index c = 0; c < rows.columns; ++c) {
    Real* const plane = planes.data + c * planes.plane;
    std::fill(plane, plane + begin, Real(0));
    std::fill(plane + end, plane + count, Real(0));
  }
}

template <typename Real>
void KeyRing<Real>::start(const GridPlan<Real>& plan, const PreparedKeys<Real>& keys, const MatrixView<Real>& values,
                          Index head, const GridTask& task, Index first, Index count) {
  const Problem<Real>& problem = plan.problem();
  const Index columns = values.cols() / problem.key_heads();
  plan_ = &plan;
  task_ = task;
  key_rows_ = keys.of(head);
  value_rows_ = {values.data() + problem.key_head(head) * columns, values.outerStride(), columns};
  first_ = first;
  count_ = count;
  slots_ = plan.window().side();
  keys_.shape(slots_, key_rows_.columns, plane_size<Real>(count));
  values_.shape(slots_, columns, plane_size<Real>(count));
  keep_.shape(slots_, 1, plane_size<Real>(count));
  has_.assign(slots_, 0);
}

template <typename Real>
void KeyRing<Real>::load(Index t) {
  const Index row = plan_->row(task_, t), exist = plan_->keys_in(task_.set, row);
  has_[slot(t)] = exist > 0;
  if (exist == 0) return;
  RowSource<Real> rows = key_rows_;
  rows.first = plan_->key_at(task_.set, row);
  load_planes(rows, exist, first_, count_, keys_.at(t));
  rows = value_rows_;
  rows.first = plan_->key_at(task_.set, row);
  load_planes(rows, exist, first_, count_, values_.at(t));
  Real* const keep = keep_.at(t).data;
  for (Index x = 0; x < count_; ++x) keep[x] = first_ + x >= 0 && first_ + x < exist ? Real(1) : Real(0);
  if (!plan_->all_valid()) drop_invalid(t, rows.first, exist);
}

template <typename Real>
void KeyRing<Real>::drop_invalid(Index t, Index key_row, Index exist) {
  Real* const keep = keep_.at(t).data;
  const auto clear = [](GridPlanes<Real> planes, Index columns, Index x) {
    for (Index c = 0; c < columns; ++c) planes.data[c * planes.plane + x] = 0;
  };
  for (Index x = std::max(Index(0), -first_); x < count_ && first_ + x < exist; ++x) {
    if (plan_->is_valid(key_row + first_ + x)) continue;
    keep[x] = 0;
    clear(keys_.at(t), key_rows_.columns, x);
    clear(values_.at(t), value_rows_.columns, x);
  }
}

template <typename Real>
void score_window(const GridPlan<Real>& plan, const KeyRing<Real>& ring, Index head, Index t, Index count,
                  GridPlanes<const Real> queries, GridPlanes<Real> scores) {
  const GridWindow& window = plan.window();
  const Problem<Real>& problem = plan.problem();
  const Index side = window.side();
  const GridRow row{count, side, window.dilation};
  const Real* const bias = plan.alone() ? plan.bias(head) : nullptr;
  const Real factor = problem.score().factor(problem.dimension());
  for (Index a = 0; a < side; ++a) {
    const Index keys = t - window.reach + a;
    const GridPlanes<Real> to{scores.data + a * side * scores.plane, scores.plane};
    if (!ring.has(keys)) {
      for (Index b = 0; b < side; ++b) std::fill_n(to.data + b * to.plane, whole_lanes<Real>(count), kMasked<Real>);
      continue;
    }
    grid_kernels<Real>().scores(row, problem.prepared_columns(), queries, ring.keys(keys), factor,
                                bias ? bias + a * side : nullptr, ring.keep(keys), to);
  }
}

#define FOVEA_GRID_STRIP(Real)                                                                                         \
  template void load_planes(const RowSource<Real>&, Index, Index, Index, GridPlanes<Real>);                            \
  template class KeyRing<Real>;                                                                                        \
  template void score_window(const GridPlan<Real>&, const KeyRing<Real>&, Index, Index, Index, GridPlanes<const Real>, \
                             GridPlanes<Real>);
FOVEA_GRID_STRIP(float)
FOVEA_GRID_STRIP(double)

}  // namespace fovea

#include <algorithm>
#include <limits>
#include <optional>

#include "fovea/core/attention/grid/grid_attention.hpp"
#include "fovea/core/attention/grid/grid_pairs.hpp"
#include "fovea/core/attention/grid/grid_strip.hpp"
#include "fovea/core/base/parallel.hpp"

namespace fovea {
namespace {

constexpr Index kBackwardRows = 32, kBackwardColumns = 112;  // of a task: its planes stay in the second cache

/// One task owns dL/dq, dL/dk and dL/dv of its strip. The weights of the queries around it, which see its keys, are
/// computed here too: a strip of n x m points costs (n + 2 reach) x (m + 2 margin). Sums of a key run over its queries
/// in ascending order.
template <typename Real>
class GridBackward {
 public:
  GridBackward(const GridPlan<Real>& plan, const PreparedKeys<Real>& keys, const MatrixView<Real>& values,
               const AttentionResult<Real>& forward, const MatrixView<Real>& output_gradient,
               const GradientPlaces<Real>& gradients)
      : plan_(plan),
        keys_(keys),
        values_(values),
        forward_(forward),
        output_gradient_(output_gradient),
        gradients_(gradients),
        queries_(plan.problem().queries()),
        group_(plan.problem().heads() / plan.problem().key_heads()),
        columns_(plan.problem().prepared_columns()),
        value_columns_(values.cols() / plan.problem().key_heads()),
        side_(plan.window().side()),
        margin_(plan.window().margin()),
        factor_(plan.problem().score().factor(plan.problem().dimension())) {}

  void run(const GridTask& task, ThetaGradients<Real>& theta) {
    task_ = task;
    extent_ = whole_lanes<Real>(task.columns + 2 * margin_);
    const Index plane = plane_size<Real>(extent_);
    query_rows_.shape(side_, columns_, plane);
    output_rows_.shape(side_, std::max<Index>(1, value_columns_), plane);
    weights_.shape(side_, side_ * side_, plane);
    slopes_.shape(side_, side_ * side_, plane);
    for (AlignedVector<Real>* one : {&maximum_, &inverse_}) room(*one, plane);
    room(sums_, std::max(columns_, value_columns_) * plane + kPlaneSlack);
    for (Index member = 0; member < group_; ++member) run_head(task.head * group_ + member, theta);
  }

 private:
  void run_head(Index head, ThetaGradients<Real>& theta) {
    const Index reach = plan_.window().reach;
    head_ = head;
    ring_.start(plan_, keys_, values_, head, task_, task_.first_column - 2 * margin_, extent_ + 2 * margin_);
    pairs_.reset();
    if (!plan_.alone()) pairs_.emplace(plan_, task_, head, true);
    has_.assign(side_, 0);
    const Index begin = task_.first, end = task_.first + task_.count;
    for (Index t = begin - 2 * reach; t < end + 2 * reach; ++t) {
      ring_.load(t);
      const Index query = t - reach;
      if (query < begin - reach) continue;
      const bool owned = begin <= query && query < end;
      query_row(query, owned, theta);
      if (query - reach >= begin) key_row(query - reach, theta);
    }
  }

  char& has(Index t) { return has_[(t % side_ + side_) % side_]; }

  /// Weights and slopes of row t of the queries, also of those beside the strip; and dL/dq of the strip's own.
  void query_row(Index t, bool owned, ThetaGradients<Real>& theta) {
    const Index y = plan_.row(task_, t), exist = plan_.queries_in(task_.set, y), first = task_.first_column - margin_;
    has(t) = exist > std::max(Index(0), first);
    if (!has(t)) return;
    load_queries(t, y, exist);
    const GridPlanes<Real> w = weights_.at(t), g = slopes_.at(t);
    score_window<Real>(plan_, ring_, head_, t, extent_, query_rows_.read(t), w);
    for (Index a = 0; a < side_; ++a) slopes_of(t, a);
    const Index own = std::clamp(exist - task_.first_column, Index(0), task_.columns);
    if (pairs_)
      pairs_->weigh(t, first, extent_, {margin_, owned ? margin_ + own : margin_}, maximum_.data(), inverse_.data(), w,
                    g, theta);
    else
      grid_kernels<Real>().weigh(extent_, side_ * side_, maximum_.data(), inverse_.data(), w, g);
    if (!owned || own == 0) return;
    Real* const bias = pairs_ ? nullptr : plan_.bias_gradient(head_, theta);
    if (bias) grid_kernels<Real>().add_sums(own, side_ * side_, slopes_.read(t, margin_), bias);
    give_queries(t, plan_.query_at(task_.set, y) + task_.first_column, own, theta);
  }

  /// dL/dw of the keys in row a of the window.
  void slopes_of(Index t, Index a) {
    const GridPlanes<Real> all = slopes_.at(t), to{all.data + a * side_ * all.plane, all.plane};
    const Index keys = t - plan_.window().reach + a;
    if (ring_.has(keys))
      grid_kernels<Real>().products({extent_, side_, plan_.window().dilation}, value_columns_, output_rows_.read(t),
                                    ring_.values(keys), to);
    else
      for (Index b = 0; b < side_; ++b) std::fill_n(to.data + b * to.plane, extent_, Real(0));
  }

  void load_queries(Index t, Index y, Index exist) {
    const Index first = task_.first_column - margin_, row = plan_.query_at(task_.set, y);
    RowSource<Real> rows{queries_.data() + head_ * columns_, queries_.outerStride(), columns_, row};
    if (plan_.problem().score().prepares()) {
      const Index from = std::max(Index(0), first), count = std::min(exist, first + extent_) - from;
      prepare_queries(plan_.problem(), head_, row + from, count, room(prepared_, count * columns_));
      rows = {prepared_.data() - from * columns_, columns_, columns_};
    }
    load_planes<Real>(rows, exist, first, extent_, query_rows_.at(t));
    rows = {output_gradient_.data() + head_ * value_columns_, output_gradient_.outerStride(), value_columns_, row};
    load_planes<Real>(rows, exist, first, extent_, output_rows_.at(t));
    for (Index x = 0; x < extent_; ++x) {
      const bool is_query = 0 <= first + x && first + x < exist;
      const Real sum = is_query ? forward_.sum_exp(row + first + x, head_) : Real(0);
      maximum_[x] = is_query ? forward_.max_score(row + first + x, head_) : std::numeric_limits<Real>::max();
      inverse_[x] = sum == Real(0) ? Real(0) : Real(1) / sum;
    }
  }

  void give_queries(Index t, Index first, Index count, ThetaGradients<Real>& theta) {
    const Problem<Real>& problem = plan_.problem();
    const GridPlanes<const Real> slopes = slopes_.read(t, margin_);
    const GridPlanes<Real> sums{sums_.data(), slopes.plane};
    bool fresh = true;
    for (Index a = 0; a < side_; ++a) {
      const Index keys = t - plan_.window().reach + a;
      if (!ring_.has(keys)) continue;
      grid_kernels<Real>().add_weighted({count, side_, plan_.window().dilation}, columns_,
                                        {slopes.data + a * side_ * slopes.plane, slopes.plane},
                                        ring_.keys(keys, margin_), fresh, sums);
      fresh = false;
    }
    if (fresh) return;  // stays 0
    if (!problem.score().prepares()) return write(sums, count, columns_, factor_, gradients_.queries, first, head_);
    grid_kernels<Real>().from_planes({sums.data, sums.plane}, count, columns_, factor_, room(rows_, count * columns_),
                                     columns_);
    prepare_queries_backward(problem, head_, first, count, rows_.data(), columns_, gradients_.queries, theta);
  }

  /// dL/dk and dL/dv of row t of the keys.
  void key_row(Index t, ThetaGradients<Real>& theta) {
    const Index y = plan_.row(task_, t);
    const Index count = std::min(task_.columns, plan_.keys_in(task_.set, y) - task_.first_column);
    if (count <= 0) return;
    const Index first = plan_.key_at(task_.set, y) + task_.first_column;
    const Problem<Real>& problem = plan_.problem();
    const GridPlanes<Real> sums{sums_.data(), weights_.plane()};
    if (sum_over_queries(t, count, weights_, output_rows_, value_columns_, sums))
      add_or_write(sums, count, value_columns_, Real(1), gradients_.values, first);
    if (!sum_over_queries(t, count, slopes_, query_rows_, columns_, sums)) return;
    const bool plain = !problem.score().prepares() && !keys_.changed();
    if (plain) return add_or_write(sums, count, columns_, factor_, gradients_.keys, first);
    grid_kernels<Real>().from_planes({sums.data, sums.plane}, count, columns_, factor_, room(rows_, count * columns_),
                                     columns_);
    prepare_keys_backward(problem, head_, first, count, rows_.data(), columns_, gradients_.keys, theta);
  }

  /// sums(c, x) = sum over the queries that see key x; false: there are none.
  bool sum_over_queries(Index t, Index count, const PlaneRing<Real>& factors, const PlaneRing<Real>& rows,
                        Index columns, GridPlanes<Real> sums) {
    const Index reach = plan_.window().reach, step = plan_.window().dilation;
    bool fresh = true;
    for (Index query = t - reach; query <= t + reach; ++query) {
      if (!has(query)) continue;
      const Index a = t - query + reach;  // the key's row in the query's window; its columns from right to left
      const GridPlanes<const Real> from = factors.read(query);
      grid_kernels<Real>().add_weighted({count, side_, step}, columns,
                                        {from.data + (a * side_ + side_ - 1) * from.plane, step - from.plane},
                                        rows.read(query), fresh, sums);
      fresh = false;
    }
    return !fresh;
  }

  void write(GridPlanes<Real> from, Index count, Index columns, Real factor, GradientPlace<Real>& to, Index first,
             Index head) const {
    grid_kernels<Real>().from_planes({from.data, from.plane}, count, columns, factor,
                                     to.data() + first * to.outerStride() + head * columns, to.outerStride());
  }

  /// Several heads of queries may share one of keys.
  void add_or_write(GridPlanes<Real> from, Index count, Index columns, Real factor, GradientPlace<Real>& to,
                    Index first) {
    if (group_ == 1) return write(from, count, columns, factor, to, first, task_.head);
    Real* const rows = room(rows_, count * columns);
    grid_kernels<Real>().from_planes({from.data, from.plane}, count, columns, factor, rows, columns);
    for (Index x = 0; x < count; ++x)
      kernels<Real>().add_scaled(to.data() + (first + x) * to.outerStride() + task_.head * columns, rows + x * columns,
                                 Real(1), columns);
  }

  const GridPlan<Real>& plan_;
  const PreparedKeys<Real>& keys_;
  const MatrixView<Real>& values_;
  const AttentionResult<Real>& forward_;
  const MatrixView<Real>& output_gradient_;
  GradientPlaces<Real> gradients_;
  MatrixView<Real> queries_;
  Index group_, columns_, value_columns_, side_, margin_;
  Real factor_;
  GridTask task_;
  Index head_ = 0, extent_ = 0;  ///< of the strip with the queries beside it
  KeyRing<Real> ring_;
  PlaneRing<Real> query_rows_, output_rows_, weights_, slopes_;
  std::vector<char> has_;  ///< whether a row of queries is in the rings
  AlignedVector<Real> maximum_, inverse_, sums_, rows_, prepared_;
  std::optional<GridPairs<Real>> pairs_;
};

}  // namespace

template <typename Real>
bool attend_grid_backward(const Problem<Real>& problem, const MatrixView<Real>& values,
                          const AttentionResult<Real>& forward, const MatrixView<Real>& output_gradient,
                          const GradientPlaces<Real>& places, AttentionGradients<Real>& theta) {
  if (!GridPlan<Real>::applies(problem)) return false;
  const GridPlan<Real> plan(problem);
  const PreparedKeys<Real> keys(problem);
  for (GradientPlace<Real> one : {places.queries, places.keys, places.values}) one.setZero();
  ThetaGradients<Real> whole(problem.spec());
  const std::vector<GridTask> tasks = plan.tasks(kBackwardRows, kBackwardColumns, true);
  constexpr Index kWave = 256;  // so that the parts of dL/dtheta need no memory that grows with N
  for (Index first = 0; first < std::ssize(tasks); first += kWave) {
    const Index wave = std::min<Index>(kWave, std::ssize(tasks) - first);
    std::vector<ThetaGradients<Real>> parts;
    for (Index b = 0; b < wave; ++b) parts.emplace_back(problem.spec(), &whole);
    for_each_task(wave, problem.worth_threads(), [&](Index b) {
      GridBackward<Real>(plan, keys, values, forward, output_gradient, places).run(tasks[first + b], parts[b]);
    });
    for (const ThetaGradients<Real>& part : parts) whole.add(part);
  }
  whole.move_to(theta);
  return true;
}

#define FOVEA_GRID_BACKWARD(Real)                                                                                 \
  template bool attend_grid_backward(const Problem<Real>&, const MatrixView<Real>&, const AttentionResult<Real>&, \
                                     const MatrixView<Real>&, const GradientPlaces<Real>&, AttentionGradients<Real>&);
FOVEA_GRID_BACKWARD(float)
FOVEA_GRID_BACKWARD(double)

}  // namespace fovea

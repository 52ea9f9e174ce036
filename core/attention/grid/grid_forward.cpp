#include <algorithm>
#include <optional>

#include "fovea/core/attention/grid/grid_attention.hpp"
#include "fovea/core/attention/grid/grid_pairs.hpp"
#include "fovea/core/attention/grid/grid_strip.hpp"
#include "fovea/core/base/parallel.hpp"

namespace fovea {
namespace {

constexpr Index kForwardRows = 32, kForwardColumns = 64;  // of a task: its planes stay in the second cache

/// One task: its rows from above to below, each against the ring of keys around it.
template <typename Real>
class GridForward {
 public:
  GridForward(const GridPlan<Real>& plan, const PreparedKeys<Real>& keys, const MatrixView<Real>& values,
              const MatrixView<Real>& queries, AttentionResult<Real>& result)
      : plan_(plan), keys_(keys), values_(values), queries_(queries), result_(result) {}

  void run(const GridTask& task) {
    const GridWindow& window = plan_.window();
    const Problem<Real>& problem = plan_.problem();
    const Index whole = whole_lanes<Real>(task.columns);
    value_columns_ = values_.cols() / problem.key_heads();
    ring_.start(plan_, keys_, values_, task.head, task, task.first_column - window.margin(),
                whole + 2 * window.margin());
    plane_ = plane_size<Real>(whole);
    room(query_planes_, problem.prepared_columns() * plane_);
    room(scores_, window.side() * window.side() * plane_);
    room(outputs_, std::max<Index>(1, value_columns_) * plane_);
    for (AlignedVector<Real>* one : {&maximum_, &sums_}) room(*one, plane_);
    if (!plan_.alone()) pairs_.emplace(plan_, task, task.head, false);
    for (Index t = task.first - window.reach; t < task.first + task.count + window.reach; ++t) {
      ring_.load(t);
      if (t - window.reach >= task.first) row(task, t - window.reach);
    }
    pairs_.reset();
  }

 private:
  void row(const GridTask& task, Index t) {
    const Index y = plan_.row(task, t);
    const Index count = std::min(task.columns, plan_.queries_in(task.set, y) - task.first_column);
    if (count <= 0) return;
    const Index first = plan_.query_at(task.set, y) + task.first_column, side = plan_.window().side();
    load_queries(task.head, first, count);
    score_window<Real>(plan_, ring_, task.head, t, count, {query_planes_.data(), plane_}, scores());
    if (pairs_) pairs_->modify(t, task.first_column, count, scores());
    const GridKernels<Real>& kernel = grid_kernels<Real>();
    kernel.softmax(count, side * side, scores(), maximum_.data(), sums_.data());
    add_values(t, count);
    finish(task.head, first, count);
  }

  GridPlanes<Real> scores() { return {scores_.data(), plane_}; }

  void load_queries(Index head, Index first, Index count) {
    const Problem<Real>& problem = plan_.problem();
    const Index columns = problem.prepared_columns();
    const GridPlanes<Real> planes{query_planes_.data(), plane_};
    if (!problem.score().prepares()) {
      grid_kernels<Real>().to_planes(queries_.data() + first * queries_.outerStride() + head * columns,
                                     queries_.outerStride(), count, columns, planes);
      return;
    }
    prepare_queries(problem, head, first, count, room(prepared_, count * columns));
    grid_kernels<Real>().to_planes(prepared_.data(), columns, count, columns, planes);
  }

  void add_values(Index t, Index count) {
    const GridWindow& window = plan_.window();
    const Index side = window.side();
    bool fresh = true;
    for (Index a = 0; a < side; ++a) {
      const Index keys = t - window.reach + a;
      if (!ring_.has(keys)) continue;
      grid_kernels<Real>().add_weighted({count, side, window.dilation}, value_columns_,
                                        {scores_.data() + a * side * plane_, plane_}, ring_.values(keys), fresh,
                                        {outputs_.data(), plane_});
      fresh = false;
    }
    if (fresh) std::fill_n(outputs_.data(), value_columns_ * plane_, Real(0));
  }

  void finish(Index head, Index first, Index count) {
    const GridKernels<Real>& kernel = grid_kernels<Real>();
    for (Index x = 0; x < count; ++x) {
      result_.max_score(first + x, head) = maximum_[x];
      Real& sum = sums_[x];
      result_.sum_exp(first + x, head) = sum;
      if (sum == Real(0)) sum = 1;
    }
    kernel.divide(count, value_columns_, {outputs_.data(), plane_}, sums_.data());
    kernel.from_planes({outputs_.data(), plane_}, count, value_columns_, Real(1),
                       result_.outputs.data() + first * result_.outputs.cols() + head * value_columns_,
                       result_.outputs.cols());
    kernels<Real>().logarithms(sums_.data(), count);
    for (Index x = 0; x < count; ++x) result_.log_sum_exp(first + x, head) = sums_[x] + maximum_[x];
  }

  const GridPlan<Real>& plan_;
  const PreparedKeys<Real>& keys_;
  const MatrixView<Real>& values_;
  const MatrixView<Real>& queries_;
  AttentionResult<Real>& result_;
  Index value_columns_ = 0, plane_ = 0;
  KeyRing<Real> ring_;
  AlignedVector<Real> query_planes_, scores_, outputs_, maximum_, sums_, prepared_;
  std::optional<GridPairs<Real>> pairs_;
};

}  // namespace

template <typename Real>
bool attend_grid(const Problem<Real>& problem, const MatrixView<Real>& values, AttentionResult<Real>& result) {
  if (!GridPlan<Real>::applies(problem)) return false;
  const GridPlan<Real> plan(problem);
  const PreparedKeys<Real> keys(problem);
  const std::vector<GridTask> tasks = plan.tasks(kForwardRows, kForwardColumns, false);
  const MatrixView<Real> queries = problem.queries();
  for_each_task(std::ssize(tasks), problem.worth_threads(),
                [&](Index task) { GridForward<Real>(plan, keys, values, queries, result).run(tasks[task]); });
  return true;
}

template bool attend_grid(const Problem<float>&, const MatrixView<float>&, AttentionResult<float>&);
template bool attend_grid(const Problem<double>&, const MatrixView<double>&, AttentionResult<double>&);

}  // namespace fovea

#include "fovea/core/attention/engine/prepare.hpp"

#include <algorithm>

#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

template <typename Real>
using RowMap = Eigen::Map<const Matrix<Real>, 0, Eigen::OuterStride<>>;

template <typename Real>
bool keys_change(const AttentionSpec<Real>& spec) {
  return std::any_of(spec.modifiers.begin(), spec.modifiers.end(),
                     [](const ModifierTerm<Real>& term) { return term.modifier->changes_keys(); });
}

/// Rows that nothing has changed: their gradient is that of the rows of the call.
template <typename Real>
void add_rows(const Real* from, Index stride, Index count, Index columns, Real* to, Index to_stride) {
  for (Index i = 0; i < count; ++i) {
    if (i + kRowsAhead < count) expect_row(to + (i + kRowsAhead) * to_stride, columns);
    kernels<Real>().add_scaled(to + i * to_stride, from + i * stride, Real(1), columns);
  }
}

/// The keys before each modifier that changes keys, and behind the last.
template <typename Real>
std::vector<Matrix<Real>> key_stages(const Problem<Real>& problem, Index head, Index first, Index count) {
  std::vector<Matrix<Real>> stages{problem.keys_of(head).middleRows(first, count)};
  for (const ModifierTerm<Real>& term : problem.spec().modifiers) {
    if (!term.modifier->changes_keys()) continue;
    stages.push_back(stages.back());
    term.modifier->change_keys(stages.back(), head, term.parameters());
  }
  return stages;
}

}  // namespace

template <typename Real>
PreparedKeys<Real>::PreparedKeys(const Problem<Real>& problem) : problem_(problem) {
  const AttentionSpec<Real>& spec = problem.spec();
  const bool key_change = keys_change(spec);
  changed_ = key_change || problem.score().prepares();
  by_query_head_ = problem.key_heads() < problem.heads() && (key_change || !spec.score.theta.empty());
  if (!changed_) return;
  const Index columns = problem.prepared_columns();
  prepared_.resize(problem.key_count(), copies() * columns);
  constexpr Index kChunk = 256;
  const Index chunks = (problem.key_count() + kChunk - 1) / kChunk;
  for_each_task(chunks * copies(), problem.worth_threads(), [&](Index task) {
    const Index copy = task / chunks, first = task % chunks * kChunk;
    const Index head = by_query_head_ ? copy : copy * (problem.heads() / problem.key_heads());
    const Index count = std::min(kChunk, problem.key_count() - first);
    const Matrix<Real> keys = std::move(key_stages(problem, head, first, count).back());
    problem.score().prepare(Side::key, keys, head, spec.score.theta,
                            prepared_.block(first, copy * columns, count, columns));
  });
}

template <typename Real>
RowSource<Real> PreparedKeys<Real>::of(Index head) const {
  const Index columns = problem_.prepared_columns();
  if (changed_) return {prepared_.data() + copy_of(head) * columns, prepared_.cols(), columns};
  const MatrixView<Real> keys = problem_.keys_of(head);
  return {keys.data(), keys.outerStride(), columns};
}

template <typename Real>
void prepare_queries(const Problem<Real>& problem, Index head, Index first, Index count, Real* prepared) {
  const MatrixView<Real> queries = problem.queries_of(head);
  const Index columns = problem.prepared_columns();
  if (problem.score().prepares()) {
    problem.score().prepare(Side::query, queries.middleRows(first, count), head, problem.spec().score.theta,
                            Eigen::Map<Matrix<Real>>(prepared, count, columns));
    return;
  }
  const RowSource<Real> rows{queries.data(), queries.outerStride(), columns, first};
  for (Index i = 0; i < count; ++i) {
    if (i + kRowsAhead < count) expect_row(rows.row(i + kRowsAhead), columns);
    copy_row(rows.row(i), columns, prepared + i * columns);
  }
}

template <typename Real>
void prepare_keys_backward(const Problem<Real>& problem, Index head, Index first, Index count, const Real* gradient,
                           Index stride, GradientPlace<Real> keys, ThetaGradients<Real>& theta) {
  const AttentionSpec<Real>& spec = problem.spec();
  auto target = keys.block(first, problem.key_head(head) * problem.dimension(), count, problem.dimension());
  const RowMap<Real> prepared_gradient(gradient, count, problem.prepared_columns(), stride);
  if (!keys_change(spec) && !problem.score().prepares()) {
    add_rows(gradient, stride, count, problem.dimension(), target.data(), keys.outerStride());
    return;
  }
  if (!keys_change(spec)) {
    problem.score().prepare_backward(Side::key, problem.keys_of(head).middleRows(first, count), prepared_gradient, head,
                                     spec.score.theta, target, theta.score());
    return;
  }
  const std::vector<Matrix<Real>> stages = key_stages(problem, head, first, count);
  Matrix<Real> changed = Matrix<Real>::Zero(count, problem.dimension());
  problem.score().prepare_backward(Side::key, stages.back(), prepared_gradient, head, spec.score.theta, changed,
                                   theta.score());
  std::size_t stage = stages.size() - 1;
  for (std::size_t m = spec.modifiers.size(); m-- > 0;)
    if (spec.modifiers[m].modifier->changes_keys())
      spec.modifiers[m].modifier->change_keys_backward(stages[--stage], changed, head, spec.modifiers[m].parameters(),
                                                       theta.modifier(m));
  target += changed;
}

template <typename Real>
void prepare_queries_backward(const Problem<Real>& problem, Index head, Index first, Index count, const Real* gradient,
                              Index stride, GradientPlace<Real> queries, ThetaGradients<Real>& theta) {
  if (!problem.score().prepares()) {
    Real* target = queries.data() + first * queries.outerStride() + head * problem.dimension();
    add_rows(gradient, stride, count, problem.dimension(), target, queries.outerStride());
    return;
  }
  problem.score().prepare_backward(
      Side::query, problem.queries_of(head).middleRows(first, count),
      RowMap<Real>(gradient, count, problem.prepared_columns(), stride), head, problem.spec().score.theta,
      queries.block(first, head * problem.dimension(), count, problem.dimension()), theta.score());
}

#define FOVEA_PREPARE(Real)                                                                             \
  template class PreparedKeys<Real>;                                                                    \
  template void prepare_queries(const Problem<Real>&, Index, Index, Index, Real*);                      \
  template void prepare_keys_backward(const Problem<Real>&, Index, Index, Index, const Real*, Index,    \
                                      GradientPlace<Real>, ThetaGradients<Real>&);                      \
  template void prepare_queries_backward(const Problem<Real>&, Index, Index, Index, const Real*, Index, \
                                         GradientPlace<Real>, ThetaGradients<Real>&);
FOVEA_PREPARE(float)
FOVEA_PREPARE(double)

}  // namespace fovea

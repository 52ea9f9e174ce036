#include "fovea/core/attention/engine/scorer.hpp"

#include <algorithm>

#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

template <typename Real>
std::vector<AlignedVector<Real>>& stage_memory() {
  static thread_local std::vector<AlignedVector<Real>> memory;
  return memory;
}

}  // namespace

template <typename Real>
Scorer<Real>::Scorer(const Problem<Real>& problem, Index head, bool keep)
    : problem_(problem), head_(head), keep_(keep), memory_(stage_memory<Real>()) {
  if (keep && (!problem.spec().modifiers.empty() || problem.score().finishes())) {
    before_.resize(problem.spec().modifiers.size() + 1);
    if (memory_.size() < before_.size()) memory_.resize(before_.size());
  }
}

template <typename Real>
void Scorer<Real>::compare(const TileRange& range, LeftOperand<Real> queries, RightOperand<Real> keys, Real* scores,
                           Index stride) const {
  const BlockKernels<Real>& kernel = kernels<Real>().blocks;
  const ScoreFunction<Real>& score = problem_.score();
  const Index d = problem_.dimension(), terms = problem_.prepared_columns();
  switch (score.comparison()) {
    case Comparison::product:
      kernel.scores(range.query_count, range.key_count, terms, queries, keys, score.factor(d), scores, stride);
      break;
    case Comparison::squared_distance:
      kernel.distances(range.query_count, range.key_count, terms, queries, keys, score.factor(d), scores, stride);
      break;
    case Comparison::tanh_sum:
      kernel.tanh_sums(range.query_count, range.key_count, terms, queries, keys,
                       problem_.spec().score.theta.data() + score.weights_place(d, head_), scores, stride);
  }
}

template <typename Real>
ScoreTile<Real> Scorer<Real>::remember(const ScoreTile<Real>& tile) {
  ScoreTile<Real> copy = tile;
  copy.scores = room(memory_[used_++], tile.query_count * tile.stride);
  for (Index i = 0; i < tile.query_count; ++i) std::copy_n(tile.row(i), tile.key_count, copy.row(i));
  return copy;
}

template <typename Real>
ScoreTile<Real> Scorer<Real>::finish(const TileRange& range, Real* scores, Index stride) {
  ScoreTile<Real> tile;
  static_cast<TileRange&>(tile) = range;
  tile.scores = scores;
  tile.stride = stride;
  used_ = 0;
  if (problem_.score().finishes()) {
    if (keep_) before_[0] = remember(tile);
    problem_.score().finish(tile);
  }
  const auto& modifiers = problem_.spec().modifiers;
  for (std::size_t m = 0; m < modifiers.size(); ++m) {
    if (keep_) {
      const bool reads = modifiers[m].modifier->reads_scores();
      before_[m + 1] = reads ? remember(tile) : tile;
      if (!reads) before_[m + 1].scores = nullptr;
    }
    modifiers[m].modifier->apply(tile, modifiers[m].parameters());
  }
  return tile;
}

template <typename Real>
void Scorer<Real>::backward(const ScoreTile<Real>& gradient, ThetaGradients<Real>& theta) const {
  const auto& modifiers = problem_.spec().modifiers;
  for (std::size_t m = modifiers.size(); m-- > 0;)
    modifiers[m].modifier->backward(before_[m + 1], gradient, modifiers[m].parameters(), theta.modifier(m));
  if (problem_.score().finishes()) problem_.score().finish_backward(before_[0], gradient);
}

template class Scorer<float>;
template class Scorer<double>;

}  // namespace fovea

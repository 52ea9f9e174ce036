#include "fovea/core/attention/engine/scorer.hpp"

#include <algorithm>

namespace fovea {

template <typename Real>
ThetaGradients<Real>::ThetaGradients(const AttentionSpec<Real>& spec) : score(spec.score.theta.size(), Real(0)) {
  for (const ModifierTerm<Real>& term : spec.modifiers) modifiers.emplace_back(term.theta.size(), Real(0));
}

template <typename Real>
void ThetaGradients<Real>::add(const ThetaGradients& other) {
  for (std::size_t k = 0; k < score.size(); ++k) score[k] += other.score[k];
  for (std::size_t m = 0; m < modifiers.size(); ++m)
    for (std::size_t k = 0; k < modifiers[m].size(); ++k) modifiers[m][k] += other.modifiers[m][k];
}

template <typename Real>
TileMemory<Real>& TileMemory<Real>::mine() {
  static thread_local TileMemory memory;
  return memory;
}

template <typename Real>
Scorer<Real>::Scorer(const Problem<Real>& problem, Index head, bool keep_stages)
    : problem_(problem),
      queries_(problem.queries_of(head)),
      keys_(problem.keys_of(head)),
      keep_stages_(keep_stages),
      memory_(TileMemory<Real>::mine()) {
  const std::size_t needed = keep_stages ? problem.spec().modifiers.size() + 1 : 1;
  if (memory_.stages.size() < needed) memory_.stages.resize(needed);
  for (std::size_t s = 0; s < needed; ++s)
    grow(memory_.stages[s], static_cast<std::size_t>(problem.block_queries() * kTileKeys));
}

template <typename Real>
bool Scorer<Real>::is_empty(const TileRange& range) const {
  return std::any_of(
      problem_.spec().modifiers.begin(), problem_.spec().modifiers.end(),
      [&](const ModifierTerm<Real>& term) { return !range.key_list && term.modifier->visible(range).empty(); });
}

template <typename Real>
ScoreTile<Real> Scorer<Real>::stage(const TileRange& range, std::size_t index) const {
  ScoreTile<Real> tile;
  static_cast<TileRange&>(tile) = range;
  tile.scores = memory_.stages[index].data();
  tile.stride = range.key_count;
  return tile;
}

template <typename Real>
ScoreTile<Real> Scorer<Real>::score(const TileRange& range) {
  const AttentionSpec<Real>& spec = problem_.spec();
  std::size_t current = 0;
  spec.score.function->score(queries_, keys_, stage(range, 0), spec.score.theta);
  for (const ModifierTerm<Real>& term : spec.modifiers) {
    if (keep_stages_) {
      const Real* before = memory_.stages[current].data();
      std::copy(before, before + range.query_count * range.key_count, memory_.stages[current + 1].data());
      ++current;
    }
    term.modifier->apply(stage(range, current), term.theta);
  }
  return stage(range, current);
}

template <typename Real>
void Scorer<Real>::backward(const ScoreTile<Real>& gradient, Eigen::Ref<Matrix<Real>> query_gradient,
                            Eigen::Ref<Matrix<Real>> key_gradient, ThetaGradients<Real>& theta) const {
  const AttentionSpec<Real>& spec = problem_.spec();
  for (std::size_t m = spec.modifiers.size(); m-- > 0;)
    spec.modifiers[m].modifier->backward(stage(gradient, m), gradient, spec.modifiers[m].theta, theta.modifiers[m]);
  spec.score.function->backward(queries_, keys_, gradient, spec.score.theta, query_gradient, key_gradient, theta.score);
}

template struct ThetaGradients<float>;
template struct ThetaGradients<double>;
template struct TileMemory<float>;
template struct TileMemory<double>;
template class Scorer<float>;
template class Scorer<double>;

}  // namespace fovea

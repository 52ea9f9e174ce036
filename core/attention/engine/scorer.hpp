#pragma once
/// Scores of one tile after the other, and the way back from their gradient. Internal to core/attention.

#include <vector>

#include "fovea/core/attention/engine/problem.hpp"

namespace fovea {

/// Gradients of all parameters of a spec.
template <typename Real>
struct ThetaGradients {
  std::vector<Real> score;
  std::vector<std::vector<Real>> modifiers;

  explicit ThetaGradients(const AttentionSpec<Real>& spec);
  void add(const ThetaGradients& other);
};

/// Makes a vector at least that long; its content does not matter.
template <typename Real>
void grow(std::vector<Real>& memory, std::size_t size) {
  if (memory.size() < size) memory.resize(size);
}

/// Memory of one thread, kept between calls: the scores before each modifier, and the final ones.
template <typename Real>
struct TileMemory {
  std::vector<std::vector<Real>> stages;
  std::vector<Real> gradient;
  std::vector<Real> values;
  std::vector<Real> value_gradient;
  static TileMemory& mine();
};

template <typename Real>
class Scorer {
 public:
  /// keep_stages: remember the scores before each modifier, for backward().
  Scorer(const Problem<Real>& problem, Index head, bool keep_stages);

  /// Whether some modifier forbids the whole tile.
  bool is_empty(const TileRange& range) const;
  /// The final scores of the tile. They stay valid, and may be overwritten, until the next call.
  ScoreTile<Real> score(const TileRange& range);
  /// Takes dL/ds of the tile last scored (overwritten) to the queries or keys (no rows: not wanted) and parameters.
  void backward(const ScoreTile<Real>& gradient, Eigen::Ref<Matrix<Real>> query_gradient,
                Eigen::Ref<Matrix<Real>> key_gradient, ThetaGradients<Real>& theta) const;

 private:
  ScoreTile<Real> stage(const TileRange& range, std::size_t index) const;

  const Problem<Real>& problem_;
  MatrixView<Real> queries_, keys_;
  bool keep_stages_;
  TileMemory<Real>& memory_;
};

}  // namespace fovea

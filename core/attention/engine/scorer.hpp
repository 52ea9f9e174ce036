#pragma once
/// Scores of one tile after the other, and the way back from their gradient. Internal to core/attention.

#include <vector>

#include "fovea/core/attention/engine/problem.hpp"
#include "fovea/core/attention/engine/theta.hpp"
#include "fovea/core/base/memory.hpp"
#include "fovea/core/kernels/blocks.hpp"

namespace fovea {

template <typename Real>
class Scorer {
 public:
  /// keep: remember what backward() will need.
  Scorer(const Problem<Real>& problem, Index head, bool keep);

  /// factor * comparison, of any number of queries A(i, c) against keys B(c, j), both prepared. scores: rows `stride`
  /// apart, with room for whole groups.
  void compare(const TileRange& range, LeftOperand<Real> queries, RightOperand<Real> keys, Real* scores,
               Index stride) const;
  /// The scores of a tile from comparisons that stand in `scores` already.
  ScoreTile<Real> finish(const TileRange& range, Real* scores, Index stride);
  /// Of the tile last scored: from dL/ds to dL/d(factor * comparison), in place; adds dL/dtheta of the modifiers.
  void backward(const ScoreTile<Real>& gradient, ThetaGradients<Real>& theta) const;

 private:
  ScoreTile<Real> remember(const ScoreTile<Real>& tile);

  const Problem<Real>& problem_;
  Index head_;
  bool keep_;
  std::size_t used_ = 0;
  std::vector<AlignedVector<Real>>& memory_;
  std::vector<ScoreTile<Real>> before_;  ///< the score's finish(), then each modifier; empty where nobody reads it
};

}  // namespace fovea

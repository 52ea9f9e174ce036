#pragma once
/// A normaliser turns the scores of a row into weights that sum to 1.
///
/// Softmax is built into the engine, in one pass over the keys. The others see a whole row at once and leave two or
/// three numbers from which any part of the row can be weighed again. For all of them
///   dL/ds_j = a_j (g_j - sum_k a_k g_k / sum_k a_k)   with   g_j = dL/dw_j
/// where a_j is the slope of the weight: w_j for softmax, 1 on the support for sparsemax, w_j^(2 - alpha) for
/// alpha-entmax (Peters, Niculae, Martins 2019, prop. 2).

#include <span>

#include "fovea/core/attention/tile.hpp"

namespace fovea {

/// What the weights of a row are computed from, besides its scores.
template <typename Real>
struct RowState {
  Real maximum = kMasked<Real>;  ///< the largest score; -inf: all keys are masked, all weights are 0
  Real sum_exp = 0;              ///< sum_j exp(s_j - maximum)
  Real threshold = 0;            ///< tau of a sparse map, or the place of the chosen key
};

/// Which row: for normalisers that draw.
struct RowName {
  Index query = 0;  ///< row number through all packed sets
  Index head = 0;
};

template <typename Real>
class Normalizer {
 public:
  virtual ~Normalizer() = default;
  /// What is left of a row of `count` scores (kMasked: forbidden). O(count log count) at most.
  virtual RowState<Real> state(std::span<const Real> scores, RowName name) const = 0;
  /// The weights of a part of the row; first: its place within the row. weights may be where the scores are. slopes:
  /// the a_j; nullptr: not wanted. Not called for a row that is all masked.
  virtual void weigh(std::span<const Real> scores, Index first, const RowState<Real>& state, Real* weights,
                     Real* slopes) const = 0;
  /// Whether a key is drawn: its score then learns from the cost of the draw (Williams 1992), which
  /// attend_backward() is given.
  virtual bool draws() const { return false; }
};

}  // namespace fovea

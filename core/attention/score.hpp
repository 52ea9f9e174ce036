#pragma once
/// A score function says how well a query matches a key, before any modifier.

#include <span>

#include "fovea/core/attention/tile.hpp"

namespace fovea {

template <typename Real>
class ScoreFunction {
 public:
  virtual ~ScoreFunction() = default;
  virtual Index parameter_count(Index /*dimension*/) const { return 0; }
  /// Fills the tile: s_ij = score(q_i, k_j). queries, keys: the columns of the tile's head, rows as in TileRange.
  virtual void score(const MatrixView<Real>& queries, const MatrixView<Real>& keys, const ScoreTile<Real>& tile,
                     std::span<const Real> theta) const = 0;
  /// From dL/ds to dL/dq (query_gradient), dL/dk (key_gradient), dL/dtheta; each is added to.
  /// Rows as in TileRange. A gradient with no rows is not wanted.
  virtual void backward(const MatrixView<Real>& queries, const MatrixView<Real>& keys, const ScoreTile<Real>& gradient,
                        std::span<const Real> theta, Eigen::Ref<Matrix<Real>> query_gradient,
                        Eigen::Ref<Matrix<Real>> key_gradient, std::span<Real> theta_gradient) const = 0;
};

}  // namespace fovea

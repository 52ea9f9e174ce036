#pragma once
/// Rows on their way into and out of gradient tiles. Internal to core/attention.

#include "fovea/core/attention/engine/gradient_tile.hpp"
#include "fovea/core/attention/engine/prepare.hpp"

namespace fovea {

template <typename Real>
class GradientRows {
 public:
  GradientRows(const Problem<Real>& problem, const MatrixView<Real>& values, const AttentionResult<Real>& forward,
               const MatrixView<Real>& output_gradient);

  const GradientShape& shape() const { return shape_; }

  /// Distances are formed from sums, sum_j g_ij k_j - q_i sum_j g_ij: less the first key of the set, so that little
  /// cancels. (0 where that key is not finite, lest it spoil other rows.) Valid until the next call of this thread.
  const Real* origin(Index head, Index set) const;

  /// Some queries with their sums cleared. Valid until the next call of this thread.
  GradientQueries<Real> queries(Index head, Index first, Index count, const Real* origin) const;
  /// Adds their finished dL/d(prepared query) to `target`, `apart` from row to row.
  void add_queries(const GradientQueries<Real>& queries, Index count, Real* target, Index apart) const;

  /// Some keys, consecutive or listed, with the sums of keys cleared and those of values missing; `room_for` keys at
  /// most. Valid until the next call of this thread.
  GradientKeys<Real> keys(const TileRange& range, Index room_for, const Real* origin) const;
  /// Cleared sums of values for that many keys.
  Real* value_sums(Index room_for) const;
  /// Entry c of the finished dL/d(prepared key) of key j, and of dL/dv.
  Real key_gradient(const GradientKeys<Real>& keys, Index j, Index c) const;
  Real value_gradient(const GradientKeys<Real>& keys, Index j, Index c) const {
    return shape_.values_transposed ? keys.value_gradient[c * keys.value_apart + j]
                                    : keys.value_gradient[j * keys.value_apart + c];
  }

 private:
  void set_means();
  RightOperand<Real> combined(const RowSource<Real>& keys, Index count, const RightOperand<Real>& compared,
                              const Real* origin) const;

  const Problem<Real>& problem_;
  const MatrixView<Real>& values_;
  const AttentionResult<Real>& forward_;
  const MatrixView<Real>& output_gradient_;
  GradientShape shape_;
  PreparedKeys<Real> prepared_;
  bool distances_;
  Real scale_;          ///< from the sums to the gradient of factor * comparison
  Matrix<Real> means_;  ///< N x H: sum_j a_ij g_ij / sum_j a_ij
};

}  // namespace fovea

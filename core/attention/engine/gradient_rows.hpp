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
  const PreparedKeys<Real>& prepared() const { return prepared_; }

  /// Distances are formed from sums, sum_j g_ij k_j - q_i sum_j g_ij: less the first key of the set, so that little
  /// cancels. (0 where that key is not finite, lest it spoil other rows.) Valid until the next call of this thread.
  const Real* origin(Index head, Index set) const;

  /// Some queries; where their sums go is left to the caller. Valid until the next call of this thread.
  GradientQueries<Real> queries(Index head, Index set, Index first, Index count, const Real* origin) const;
  /// Finishes the sums of some queries of a head, dL/d(prepared query), in place. sums: `width()` apart.
  void finish_queries(Index head, Index set, Index first, Index count, Real* sums, const Real* totals) const;
  Index width() const { return whole_lanes<Real>(shape_.columns); }
  bool distances() const { return distances_; }

  /// Some keys, consecutive or listed, with the sums of keys cleared and those of values missing; `room_for` keys at
  /// most. Valid until the next call of this thread.
  GradientKeys<Real> keys(const TileRange& range, Index room_for, const Real* origin) const;
  /// Cleared sums of values for that many keys.
  Real* value_sums(Index room_for) const;
  /// Finishes the sums of keys, dL/d(prepared key), in place.
  void finish_keys(const GradientKeys<Real>& keys, Index count) const;
  /// Finished gradients of queries or keys whose prepared rows are those of the call, to where these belong.
  void write_queries(const Real* sums, GradientPlace<Real> to) const;
  void write_keys(const GradientKeys<Real>& keys, GradientPlace<Real> to) const;
  /// Entry c of the finished gradient of key j, and of dL/dv.
  Real key_gradient(const GradientKeys<Real>& keys, Index j, Index c) const {
    return shape_.keys_transposed ? keys.gradient[c * keys.apart + j] : keys.gradient[j * keys.apart + c];
  }
  Real value_gradient(const GradientKeys<Real>& keys, Index j, Index c) const {
    return shape_.values_transposed ? keys.value_gradient[c * keys.value_apart + j]
                                    : keys.value_gradient[j * keys.value_apart + c];
  }

 private:
  void load_queries(Index head, Index first, Index count, Real* compared, Real* output_gradient, Real* numbers) const;
  void load_large_sets();
  bool is_loaded(Index set) const { return problem_.first_key(set + 1) - problem_.first_key(set) > kBlockKeys; }
  Index value_width() const { return whole_lanes<Real>(shape_.value_columns); }
  RightOperand<Real> combined(const RowSource<Real>& keys, Index count, const RightOperand<Real>& compared,
                              const Real* origin) const;

  const Problem<Real>& problem_;
  const MatrixView<Real>& values_;
  const AttentionResult<Real>& forward_;
  const MatrixView<Real>& output_gradient_;
  GradientShape shape_;
  PreparedKeys<Real> prepared_;
  bool distances_;
  Real scale_;  ///< from the sums to the gradient of factor * comparison
  /// Queries of large sets, which every block of keys asks for: head after head, rows as in GradientQueries.
  CallMemory<Real> compared_, output_gradients_, numbers_;
};

}  // namespace fovea

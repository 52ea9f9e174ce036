#pragma once
/// Softmax of a row that arrives in tiles: w_j = exp(s_j) / sum_k exp(s_k), with a running maximum (Milakov &
/// Gimelshein 2018). Masked scores (-inf) have weight exactly 0; a row of masked scores has weights 0.

#include "fovea/core/attention/kernels/panel.hpp"

namespace fovea {

/// What is known of a row after some of its tiles.
template <typename Real>
struct SoftmaxRow {
  Real maximum = kMasked<Real>;
  Real sum = 0;  ///< sum_j exp(s_j - maximum)
};

/// Takes in one tile: scores (count; overwritten) with the values of its keys. accumulated (one entry a value column)
/// holds sum_j exp(s_j - maximum) v_j. The result depends on the row alone.
template <typename Real>
void softmax_add(SoftmaxRow<Real>& row, Real* scores, Index count, const Panel<Real>& values, Real* accumulated);

/// From the sums to the weighted mean, in place; 0 where all keys were masked.
template <typename Real>
void softmax_finish(const SoftmaxRow<Real>& row, Real* accumulated, Index columns);

/// log sum_j exp(s_j); -inf where all keys were masked.
template <typename Real>
Real softmax_log_sum(const SoftmaxRow<Real>& row);

/// Turns scores into weights, given the finished row.
template <typename Real>
void softmax_weights(const SoftmaxRow<Real>& row, Real* scores, Index count);

}  // namespace fovea

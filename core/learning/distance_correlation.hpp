#pragma once
/// How far two numbers depend on each other, as a penalty: an operation that ends a tape.

#include <span>

#include "fovea/core/learning/tape.hpp"

namespace fovea::learning {

/// The squared distance correlation of x and y (Szekely, Rizzo, Bakirov 2007, definitions 3 to 5, the sample's, with
/// weights), which as a penalty makes a score independent of a mass (Kasieczka & Shih 2020, eq. 6). With
/// p_i = weight_i / sum_k weight_k:
///   a_ij = |x_i - x_j|,  A_ij = a_ij - sum_k p_k (a_ik + a_kj) + sum_kl p_k p_l a_kl,  b, B likewise of y
///   V(x, y) = sum_ij p_i p_j A_ij B_ij,  dCor^2 = V(x, y) / sqrt(V(x, x) V(y, y))
/// It is in [0, 1]; 1 where y = c x + d, and for many rows 0 if and only if they are independent. Of n independent
/// rows it is about 1 / n and more, so it is a number of a whole batch: BatchSettings::whole.
/// x: N x 1; y: N; weights: N, >= 0, 0 leaves a row out; empty: all 1. Spans are read at once. Where x or y is the same
/// in all rows, or fewer than two have a weight, it is 0 with the gradient 0. Time and memory N^2. Result: 1 x 1.
template <typename Real>
Variable<Real> distance_correlation(Variable<Real> x, std::span<const Real> y, std::span<const Real> weights);

}  // namespace fovea::learning

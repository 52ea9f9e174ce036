#pragma once
/// Losses: operations that end a tape (hazard_loss.hpp has that of times with censoring). Each is sum_i weight_i l_i /
/// total, 1 x 1.
///
/// weights: N, >= 0, 0 masks a row (its target may then be anything); empty: all 1. total > 0: usually the sum of the
/// weights of the whole batch, of which these rows may be a part. Spans and matrices that are passed in are read again
/// by backward(): they must live until then. Files and table: those of the operations.

#include <span>

#include "fovea/core/learning/tape.hpp"

namespace fovea::learning {

/// l = sum_c (x_ic - target_ic)^2
template <typename Real>
Variable<Real> squared_loss(Variable<Real> x, const Matrix<Real>& targets, std::span<const Real> weights, Real total);
/// l = sum_c log(1 + e^x) - target x: binary cross-entropy of logits; targets in [0, 1]
template <typename Real>
Variable<Real> logistic_loss(Variable<Real> x, const Matrix<Real>& targets, std::span<const Real> weights, Real total);
/// l = log sum_c e^(x_ic) - x_i,class: cross-entropy of logits x (N x classes)
template <typename Real>
Variable<Real> cross_entropy_loss(Variable<Real> x, std::span<const Index> classes, std::span<const Real> weights,
                                  Real total);
/// l = (v + (target - m)^2 e^-v) / 2 of the columns m, v of x (N x 2): minus the log likelihood of a normal number with
/// mean m and log variance v, less log(2 pi) / 2 (Nix & Weigend 1994); targets N x 1
template <typename Real>
Variable<Real> gaussian_loss(Variable<Real> x, const Matrix<Real>& targets, std::span<const Real> weights, Real total);
/// l = sum_c e^x - target x: minus the log likelihood of counts with log rate x, less log(target!)
template <typename Real>
Variable<Real> poisson_loss(Variable<Real> x, const Matrix<Real>& targets, std::span<const Real> weights, Real total);
/// l = sum_c max(level_c r, (level_c - 1) r), r = target - x (Koenker & Bassett 1978): column c learns its quantile
template <typename Real>
Variable<Real> quantile_loss(Variable<Real> x, const Matrix<Real>& targets, std::span<const Real> levels,
                             std::span<const Real> weights, Real total);

inline constexpr double kLargestContrast = 100;  ///< of e^log_scale

/// Pairs (a_i, b_i) told from the others of their group, both ways (Radford et al. 2021, fig. 3): with s_ij = e^t a_i .
/// b_j, t = min(log_scale, log 100), a group of n pairs has
///   l = sum_i (log sum_j e^(s_ij) - s_ii + log sum_j e^(s_ji) - s_ii) / (2 n)
/// a, b: N x C, rows of length 1 (normalized_rows.hpp); log_scale: 1 x 1, minus the log of the temperature, whose
/// gradient is 0 above log 100. A group is one example, [offsets_g, offsets_(g + 1)) its pairs; weights: one for each
/// group.
template <typename Real>
Variable<Real> contrastive_loss(Variable<Real> a, Variable<Real> b, Variable<Real> log_scale,
                                std::span<const Index> offsets, std::span<const Real> weights, Real total);

}  // namespace fovea::learning

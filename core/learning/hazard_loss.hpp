#pragma once
/// Time until one of several ends, with censoring: a hazard for each interval of time.
///
///   h_tk = softmax over k = 1 .. K + 1 of x_t: end k comes within interval t, if none came before; K + 1: none comes
///   l = - sum over intervals t that were survived of log h_t,K+1  -  log h_t,end of the interval in which it came
///
/// (Singer & Willett 1993; competing ends: Tutz & Schmid 2016, ch. 8; by networks: Gensheimer & Narasimhan 2019.) Minus
/// the log likelihood; who is censored tells only what was survived. No proportional hazards are assumed.

#include <span>
#include <vector>

#include "fovea/core/learning/tape.hpp"

namespace fovea::learning {

/// What was observed of N rows. A part of an interval that ends in censoring tells nothing.
struct HazardTargets {
  std::vector<Index> survived;  ///< N: intervals that passed whole without an end, in [0, T]
  std::vector<Index> ends;      ///< N: 1 .. K, which end came in the interval after these; 0: none was seen
};

/// From times. Interval t is (edges[t], edges[t + 1]], T of them; what comes at or before edges[0] comes in the first,
/// and what comes after the last edge was not seen.
/// times (N) finite;  ends (N) 0: censored, 1 .. K;  edges (T + 1) rising, T >= 1. Throws ArgumentError.
HazardTargets hazard_targets(std::span<const double> times, std::span<const Index> ends, std::span<const double> edges);

/// x N x T (K + 1): of each interval the logits of the ends and of none, side by side; ends = K >= 1. weights and total
/// are those of losses.hpp. Throws ArgumentError.
template <typename Real>
Variable<Real> hazard_loss(Variable<Real> x, Index ends, const HazardTargets& targets, std::span<const Real> weights,
                           Real total);

/// By the end of each interval the share to which each end has come, and that to which none has:
///   F_k(t) = sum over u <= t of S(u - 1) h_uk,   S(t) = product over u <= t of h_u,K+1
/// in the layout of the logits (N x T (K + 1)); the K + 1 numbers of an interval add up to 1.
Matrix<double> hazard_incidences(const MatrixView<double>& logits, Index ends);

}  // namespace fovea::learning

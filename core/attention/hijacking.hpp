#pragma once
/// How much weight one key can take: attention hijacking, where a single token (a troll, a dead detector channel, a
/// poisoned document) draws the attention of many.
///
/// Let R bound the difference between any two scores of a row, s_j - s_k <= R, and let the query see M keys. Then
///   w_j = 1 / (1 + sum_{k != j} exp(s_k - s_j)) <= 1 / (1 + (M - 1) exp(-R)),
/// with equality when one key has the highest score there is and all others the lowest: no smaller bound holds. R
/// follows from norms (Cauchy-Schwarz): for a product with factor f, |q| <= Q, |k| <= B and a temperature tau,
/// R = 2 f Q B / tau; for the cosine R = 2 / tau, whatever the norms. Without a bound of the key norms (see
/// key_norm_clipping()) R is infinite, and one key can take everything.
///
/// What each score function and modifier knows about R is its largest_difference().

#include <vector>

#include "fovea/core/attention/attend.hpp"

namespace fovea {

/// 1 / (1 + (M - 1) exp(-R)) for R = largest_difference >= 0 and M = visible_keys >= 1; 1 for R = infinity.
template <typename Real>
Real largest_weight_bound(Real largest_difference, Index visible_keys);

/// The same with the R of a spec, for a query no longer than query_norm of one head (d = dimension) and keys none of
/// which is longer than key_norm as they are compared (after clipping). 1 where a part of the spec knows no bound, and
/// for normalisers other than softmax. In exact numbers: rounding may add a few last places. Throws ArgumentError
/// unless both norms are >= 0 and visible_keys >= 1.
template <typename Real>
Real largest_weight_bound(const AttentionSpec<Real>& spec, Index dimension, Index head, Real query_norm, Real key_norm,
                          Index visible_keys);

/// What one key takes in a head, and what one could take.
template <typename Real>
struct HeadHijacking {
  Real weight = 0;             ///< the largest of the head; of equal ones that of the lowest query and key
  Index query = -1, key = -1;  ///< whose it is; -1: all keys are masked for all queries
  Real key_norm = 0;           ///< of the longest key as it is compared, or what the caller says
  Real bound = 0;              ///< the largest_weight_bound() of the most exposed query: its norm and visible keys
};

/// One for each head. forward: what attend() gave for the same inputs. key_norm: how long an attacker's key may be as
/// it is compared, where that is more than the longest key here. Rows with a NaN are left out. O(pairs), memory O(N +
/// M).
template <typename Real>
std::vector<HeadHijacking<Real>> attention_hijacking(const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                                                     const AttentionSpec<Real>& spec,
                                                     const AttentionResult<Real>& forward,
                                                     std::type_identity_t<Real> key_norm = 0);

}  // namespace fovea

#pragma once
/// Linear regression as attention: a sum of single effects, each of which looks at one column.

#include <vector>

#include "fovea/core/linear/product_rows.hpp"

namespace fovea {

struct SingleEffectSettings {
  Index heads = 15;         ///< at most this many effects, >= 1
  int sweeps = 40;          ///< over the heads, at most, >= 1
  double tolerance = 1e-3;  ///< ends when no coefficient changes by more
};

/// What the heads have learned. Where a head found nothing its weights are the prior's and its effects are 0.
struct SingleEffects {
  Matrix<double> weights;        ///< heads x keys: softmax of the scores, a row sums to 1
  Matrix<double> effects;        ///< heads x keys: the coefficient if this key is the head's
  std::vector<double> evidence;  ///< of each head: log Bayes factor against no effect; 0: it is off
  double residual_variance = 1;  ///< in units of the target's variance
  bool on(Index head) const { return evidence[head] > 0; }
  Vector<double> coefficients() const;  ///< of each key: sum over heads of weight times effect
};

/// y = sum_h beta_h x_{k(h)} + noise with variance s2: each head h looks at ONE key k(h), which it does not know, and
/// has beta_h ~ N(0, v_h). Given what the other heads leave, r_h = y - sum_{g != h} E[beta_g x_k(g)], with n rows,
///
///   b_k = x_k' r_h / n,   score_k = log prior_k + 1/2 log(s / (s + v_h)) + 1/2 (b_k^2 / s) v_h / (v_h + s),  s = s2 /
///   n weight_hk = softmax_k(score_k),   effect_hk = b_k v_h / (v_h + s)
///
/// so a head's attention weight IS the posterior probability that its effect is that of key k, and the temperature is
/// the noise's own variance. v_h is learned (Gaussian mixture's EM step) and a head whose evidence log sum_k
/// exp(score_k) is not above 0 is off; s2 is learned from what is left. Coordinate ascent on the evidence's lower bound
/// (Wang, Sarkar, Carbonetto & Stephens 2020: "SuSiE", from sufficient statistics). More keys than rows are no problem.
///
/// products   keys x keys: sums of products of the columns about their means, scaled so that each diagonal entry is
///            `rows` (0 for a constant column, which gets no weight)
/// with_target  of each key with the target, which has the square `rows` too
/// log_prior  of each key, sums to 1 after exp
/// Throws ArgumentError for shapes that do not fit and for rows < 3.
SingleEffects single_effects(const ProductRows& products, const Vector<double>& with_target,
                             const Vector<double>& log_prior, Index rows, const SingleEffectSettings& settings = {});

}  // namespace fovea

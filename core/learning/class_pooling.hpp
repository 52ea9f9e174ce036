#pragma once
/// Attention within the classes of dated events: what each kind of event said, how lately and how often.
///
///   s_i = beta_ch x_i - f_ch(T - t_i),   w = softmax of s over the events of class c in the set with t_i <= T
///   mean_ch = sum w_i x_i                                                                         h = 1 .. H, heads
///   mass_ck = log(1 + sum_i 2^(-(T - t_i) / tau_ck))                                              k = 1 .. K
///   f(age) = ln 2 / tau age  (DecayHeads),  f(age) = a log(1 + age / scale)  (PowerLawHeads)
///
/// tau -> 0 is the last value, tau -> infinity with beta = 0 the mean, beta -> +-infinity the largest and the smallest:
/// last, mean, extremes and all between are one attention with two learned numbers (temporal decay of scores as in Che
/// et al. 2018; masses: the intensity of a Hawkes process, Hawkes 1971). Nothing is put on a grid, padded or imputed.
///
/// Cost, N events, Q queries, C classes: with DecayHeads O((N + Q C) (H + K)), because weights that all decay at one
/// rate keep their ratios, so any number of queries is answered on the way through the events; with PowerLawHeads each
/// query looks at each of its events again, O(Q events C H). Slopes by beta, tau, a and scale are found on the same
/// way; backward() computes no exponential, unless the values learn. Memory O(Q C (H + K)).
///
/// Errors in float, values of a few units (measured): 2e-6 for 256 events of a class, 2e-5 for 65,536; a million want
/// double, because a newcomer's share of what does not decay is then below the rounding of the mean.

#include "fovea/core/learning/class_events.hpp"
#include "fovea/core/learning/tape.hpp"

namespace fovea::learning {

/// As the logarithm of a half-life: weights that do not decay at all, and do not learn to.
inline constexpr double kNoDecay = 1000;

/// Weights that halve with each half-life. H or K may be 0.
template <typename Real>
struct DecayHeads {
  Variable<Real> sharpness;           ///< beta, C x H, per unit of the values
  Variable<Real> log_half_life;       ///< log tau, C x H
  Variable<Real> log_mass_half_life;  ///< log tau of the masses, C x K
};

/// Weights (1 + age / scale)^-a, a tail that no half-life has (as power_law_decay() of the engine).
template <typename Real>
struct PowerLawHeads {
  Variable<Real> sharpness;           ///< beta, C x H
  Variable<Real> log_exponent;        ///< log a, C x H
  Variable<Real> log_scale;           ///< C x H
  Variable<Real> log_mass_half_life;  ///< C x K
};

/// Columns that class_pooling() gives each class: means, masses, the age of the last event, log(1 + number of events).
inline Index pooled_columns(Index heads, Index masses) { return heads + masses + 2; }

/// Q x C (H + K + 2): for each query class after class [means | masses | age of the last event | log(1 + count)]; all 0
/// where the class has no event yet.
/// values   N x 1, finite; in the order of the events
/// The numbers of a set have the same bits in any batch. Differentiable by the heads and by the values, not by times.
/// Offsets and times are read again by backward() where the values learn. Throws ArgumentError for shapes, offsets and
/// for times that fall or are not finite.
template <typename Real>
Variable<Real> class_pooling(Variable<Real> values, const DecayHeads<Real>& heads, const ClassEvents& events,
                             const TimedQueries& queries);
template <typename Real>
Variable<Real> class_pooling(Variable<Real> values, const PowerLawHeads<Real>& heads, const ClassEvents& events,
                             const TimedQueries& queries);

/// join_columns() of class_pooling(values, heads) and class_pooling(values * values, squares), bit for bit; where
/// nothing learns and `squares` has no masses, both on one way through the events.
template <typename Real>
Variable<Real> class_pooling_with_squares(Variable<Real> values, const DecayHeads<Real>& heads,
                                          const DecayHeads<Real>& squares, const ClassEvents& events,
                                          const TimedQueries& queries);

}  // namespace fovea::learning

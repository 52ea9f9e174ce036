#pragma once
/// Yes or no at a threshold of the risk, and the two figures by which the PhysioNet/CinC Challenge 2012 judged risks
/// (Silva, Moody, Scott, Celi, Mark 2012).

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea {

/// Examples by decision and outcome; "called": risk >= threshold.
struct DecisionCounts {
  Index true_positive = 0, false_positive = 0, false_negative = 0, true_negative = 0;
  double sensitivity() const;                ///< TP / (TP + FN); NaN where nothing happened
  double positive_predictive_value() const;  ///< TP / (TP + FP); NaN where nothing was called
  /// Event 1 of the challenge: the smaller of sensitivity and positive predictive value; 0 where nothing was called but
  /// something happened, NaN where nothing happened.
  double event_1() const;
};

/// risks (N) any numbers but NaN, larger: more likely; outcomes (N) 0 or 1; N >= 1. Throws ArgumentError; so below.
DecisionCounts decide(std::span<const double> risks, std::span<const Index> outcomes, double threshold);

/// The threshold where sensitivity and positive predictive value are equal: as many are called as it happens to. Equal
/// risks are called together; where they step over that number, the step with the larger event 1 is taken, and of equal
/// ones the one that calls fewer. One of the risks; +infinity where nothing happened. To be found on other examples
/// than it is judged on: in hindsight it flatters.
double balanced_threshold(std::span<const double> risks, std::span<const Index> outcomes);

/// Hosmer & Lemeshow's H (1980) as event 2 of the challenge has it (lemeshow.m, version 1.4): examples sorted by risk,
/// M = floor(N / groups), group g those from g M on (what is left over at the end is dropped):
///   H = sum_g (O_g - M p_g)^2 / (M p_g (1 - p_g) + 0.001),    event 2 = H / (p_last - p_first)
/// O_g: how many it happened to, p_g: mean risk. Lower is better; print its floor (calibration_floor()) beside it.
struct HosmerLemeshow {
  double h = 0;
  double range = 0;    ///< p_last - p_first
  double event_2 = 0;  ///< h / range; infinite or NaN where the range is 0
};

/// risks (N) in [0, 1], equal ones keep their order, as in lemeshow.m; 2 <= groups <= N. Throws ArgumentError.
HosmerLemeshow hosmer_lemeshow(std::span<const double> risks, std::span<const Index> outcomes, Index groups = 10);

/// What decisions by a risk are worth, at each threshold of the risk.
///
///   net benefit(t) = TP / N - FP / N  t / (1 - t)                               (Vickers & Elkin 2006, equation 1)
///
/// A threshold t says that a case that it happens to is worth (1 - t) / t cases that are treated in vain. To treat none
/// has net benefit 0 at every threshold, to treat all share - (1 - share) t / (1 - t).
///
/// One entry a threshold. Intervals are percentiles of the bootstrap, pointwise, 95 %; lower ends of differences are of
/// the same draws (paired).
struct DecisionCurve {
  std::vector<double> value, low, high;                 ///< of the risks
  std::vector<double> all;                              ///< to treat all
  std::vector<double> other;                            ///< of the other risks
  std::vector<double> over_all_low;                     ///< lower end of the advantage over treating all
  std::vector<double> over_other_low, over_other_high;  ///< ends of the advantage over the other risks
  std::vector<Index> called;                            ///< cases with a risk of at least the threshold
};

/// risks, other (N) any numbers but NaN; outcomes (N) 0 or 1; groups (N): whole groups are drawn; thresholds in (0, 1),
/// ascending; draws >= 10. A function of its arguments alone. Throws ArgumentError.
DecisionCurve decision_curve(std::span<const double> risks, std::span<const double> other,
                             std::span<const Index> outcomes, std::span<const Index> groups,
                             std::span<const double> thresholds, Index draws, const Random& random);

}  // namespace fovea

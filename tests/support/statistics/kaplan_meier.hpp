#pragma once
/// Survival with censoring: the share that has not yet ended at each time.

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::support {

/// What is known after one time at which something ended or was censored.
struct SurvivalStep {
  double time = 0;
  Index at_risk = 0;   ///< under observation just before it; who is censored at a time is at risk at it
  Index ended = 0;     ///< at this time
  Index censored = 0;  ///< at this time
  double survival = 1;
  double error = 0;          ///< Greenwood's standard error (1926)
  double low = 1, high = 1;  ///< of its interval
};

/// S(t) = product over times t_j <= t of 1 - d_j / n_j (Kaplan & Meier 1958), with intervals
/// S^exp(-+ z s), s = sqrt(sum d_j / (n_j (n_j - d_j))) / |log S|, which stay within [0, 1] (Kalbfleisch & Prentice
/// 1980). Where S is 1 the interval is [1, 1]; where it is 0 error, low and high are NaN.
/// times  (N) finite, until the end or the last observation;  ended (N) 1, or 0 where it was censored;  N >= 1
/// level  in (0, 1)
/// One step for each different time, ascending. Throws ArgumentError.
std::vector<SurvivalStep> kaplan_meier(std::span<const double> times, std::span<const Index> ended,
                                       double level = 0.95);

/// The survival at a time: that of the last step up to and including it, 1 before the first. After the last time it
/// stays as it is, though nobody was observed there.
double survival_at(std::span<const SurvivalStep> curve, double time);

/// The first time at which survival is <= share, in (0, 1]; infinity where it stays above. share = 0.5: the median.
double survival_quantile(std::span<const SurvivalStep> curve, double share);

}  // namespace fovea::support

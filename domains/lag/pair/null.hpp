#pragma once
/// How often two curves that have nothing to do with each other look as related as these two.

#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/domains/lag/pair/profiles.hpp"

namespace fovea::lag::pair {

/// Pairs of unrelated damped random walks at the same moments with the same errors, the second one smoothed by a top
/// hat as an echo would be; each with a damping time, standard deviation, width and further error that its curve may
/// have as a walk of its own.
struct UnrelatedPair {
  std::vector<double> driver, response;
};
std::vector<UnrelatedPair> unrelated_pairs(const ScaledCurve& driver, const ScaledCurve& response, Interval range,
                                           const LagPosterior& posterior, int trend, int draws, const Random& random);

/// The test: statistic = largest over lags, widths and numbers of log (L(one walk) prior overlap^2), less the largest
/// log L(two walks), the second one smoothed by a width too. The same search for each drawn pair gives its distribution
/// under "unrelated".
struct FalseAlarm {
  double probability = 1;  ///< (1 + drawn pairs with at least this statistic) / (1 + drawn pairs)
  double statistic = 0;
  std::vector<double> drawn;  ///< statistic of each drawn pair
};
FalseAlarm false_alarm(const ScaledCurve& driver, const ScaledCurve& response, Interval range, int trend,
                       const std::vector<UnrelatedPair>& unrelated, const Told& told = {});

/// Pointwise quantiles 0.025 and 0.975 of the attention profile of unrelated pairs. NaN where few of them have one.
struct NullBand {
  std::vector<double> low, high;
};
NullBand attention_null_band(const AttentionProfile& profile, const std::vector<double>& lags,
                             const std::vector<UnrelatedPair>& unrelated);

}  // namespace fovea::lag::pair

#include "fovea/tests/support/statistics/kaplan_meier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/core/statistics/survival/observations.hpp"

namespace fovea::support {

namespace {

/// Greenwood's error and the interval around step.survival; hazard: sum of d / (n (n - d)).
void put_interval(SurvivalStep& step, double hazard, double z) {
  if (step.survival == 1) return;
  if (step.survival == 0) {
    step.error = step.low = step.high = kNan;
    return;
  }
  step.error = step.survival * std::sqrt(hazard);
  const double s = z * std::sqrt(hazard) / std::abs(std::log(step.survival));
  step.low = std::pow(step.survival, std::exp(s));
  step.high = std::pow(step.survival, std::exp(-s));
}

}  // namespace

std::vector<SurvivalStep> kaplan_meier(std::span<const double> times, std::span<const Index> ended, double level) {
  require(level > 0 && level < 1, "kaplan_meier: level = ", level, ", but must be in (0, 1).");
  const double z = normal_quantile((1 + level) / 2);
  std::vector<SurvivalStep> curve;
  double survival = 1, hazard = 0;
  for (const SurvivalTime& at : times_of_ends("kaplan_meier", times, ended, 1)) {
    const auto n = static_cast<double>(at.at_risk), d = static_cast<double>(at.ended[0]);
    survival *= (n - d) / n;
    if (d < n) hazard += d / (n * (n - d));
    SurvivalStep step{at.time, at.at_risk, at.ended[0], at.censored, survival, 0, 1, 1};
    put_interval(step, hazard, z);
    curve.push_back(step);
  }
  return curve;
}

double survival_at(std::span<const SurvivalStep> curve, double time) {
  const auto after =
      std::partition_point(curve.begin(), curve.end(), [&](const SurvivalStep& step) { return step.time <= time; });
  return after == curve.begin() ? 1 : (after - 1)->survival;
}

double survival_quantile(std::span<const SurvivalStep> curve, double share) {
  require(share > 0 && share <= 1, "survival_quantile: share = ", share, ", but must be in (0, 1].");
  const auto found =
      std::find_if(curve.begin(), curve.end(), [&](const SurvivalStep& step) { return step.survival <= share; });
  return found == curve.end() ? std::numeric_limits<double>::infinity() : found->time;
}

}  // namespace fovea::support

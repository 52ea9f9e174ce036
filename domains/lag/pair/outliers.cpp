#include "fovea/domains/lag/pair/outliers.hpp"

#include <algorithm>

#include "fovea/core/kernels/exponential.hpp"

namespace fovea::lag::pair {

namespace {

constexpr double kOutlierChance = 0.03;
constexpr double kOutlierVariance = 49;  // k^2: outliers have errors seven times as large

}  // namespace

std::size_t weigh_outliers(ScaledCurve& curve, double further, const std::function<double()>& log_likelihood) {
  const double log_prior_odds = logarithm(kOutlierChance / (1 - kOutlierChance));
  std::size_t likely = 0;
  for (std::size_t i = 0; i < curve.variance.size(); ++i) {
    const double good = curve.stated_variance[i] + further, bad = kOutlierVariance * good;
    curve.variance[i] = good - further;
    const double as_good = log_likelihood();
    curve.variance[i] = bad - further;
    const double as_bad = log_likelihood();
    const double log_odds = std::clamp(log_prior_odds + as_bad - as_good, -50.0, 50.0);  // the same to rounding
    const double outlier = 1 / (1 + exponential(-log_odds));
    curve.variance[i] = good / (1 - outlier + outlier / kOutlierVariance) - further;
    likely += outlier > 0.5 ? 1 : 0;
  }
  return likely;
}

ScaledCurve outliers_weighed(const ScaledCurve& curve, int trend) {
  constexpr int kRounds = 3;
  ScaledCurve weighed = curve;
  PairModel model(weighed, curve, trend);  // sees the variances of `weighed` as they are at each call
  for (int round = 0; round < kRounds; ++round) {
    const WalkNumbers numbers = model.driver_alone().numbers;
    weigh_outliers(weighed, further_variance(weighed, numbers.log_driver_error),
                   [&] { return model.driver_likelihood(numbers); });
  }
  return weighed;
}

}  // namespace fovea::lag::pair

#include "fovea/domains/lag/pair/outcome.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/lag/pair/outliers.hpp"

namespace fovea::lag::pair {

namespace {

constexpr int kCentroidDraws = 200;
constexpr int kDiscreteBins = 60;
constexpr int kProfileLags = 241;
constexpr double kPosteriorPart = 0.5, kAlarmPart = 0.75;  // of the work, for the progress: what is done after them

/// The least-squares line, taken off.
datasets::series::Curve detrended(datasets::series::Curve curve) {
  const auto count = static_cast<double>(curve.time.size());
  double t = 0, y = 0, tt = 0, ty = 0;
  for (std::size_t i = 0; i < curve.time.size(); ++i) {
    t += curve.time[i] / count;
    y += curve.value[i] / count;
  }
  for (std::size_t i = 0; i < curve.time.size(); ++i) {
    tt += (curve.time[i] - t) * (curve.time[i] - t);
    ty += (curve.time[i] - t) * (curve.value[i] - y);
  }
  const double slope = tt > 0 ? ty / tt : 0;
  for (std::size_t i = 0; i < curve.time.size(); ++i) curve.value[i] -= slope * (curve.time[i] - t);
  return curve;
}

/// Posterior per unit of time, averaged over the neighbourhood of each lag.
std::vector<double> density_at(const LagPosterior& posterior, const std::vector<double>& lags) {
  const double half = (lags[1] - lags[0]) / 2;
  std::vector<double> density;
  for (const double lag : lags) {
    double mass = 0;
    for (std::size_t i = 0; i < posterior.mass.size(); ++i) {
      const double low = posterior.middle[i] - posterior.size[i] / 2, high = low + posterior.size[i];
      const double shared = std::min(high, lag + half) - std::max(low, lag - half);
      if (shared > 0) mass += posterior.mass[i] * shared / posterior.size[i];
    }
    density.push_back(mass / (2 * half));
  }
  return density;
}

/// The discrete correlation as steps over the profile's lags.
std::vector<double> as_steps(const DiscreteCorrelation& found, const std::vector<double>& lags) {
  std::vector<double> steps;
  for (const double lag : lags) {
    std::size_t nearest = found.lag.size();
    for (std::size_t b = 0; b < found.lag.size(); ++b)
      if (nearest == found.lag.size() || std::abs(found.lag[b] - lag) < std::abs(found.lag[nearest] - lag)) nearest = b;
    steps.push_back(nearest == found.lag.size() ? std::numeric_limits<double>::quiet_NaN() : found.value[nearest]);
  }
  return steps;
}

/// NaN outside of the range of lags that were looked at.
void blank_outside(std::vector<double>& profile, const std::vector<double>& lags, Interval range) {
  const double slack = 1e-9 * (range.high - range.low);
  for (std::size_t i = 0; i < lags.size(); ++i)
    if (lags[i] < range.low - slack || lags[i] > range.high + slack)
      profile[i] = std::numeric_limits<double>::quiet_NaN();
}

/// Lags for the published centroid: apart by half of the finer curve's median distance of points at most, as far as
/// kMostLags reach.
std::vector<double> centroid_lags(Interval range, const ScaledCurve& driver, const ScaledCurve& response) {
  constexpr double kMostLags = 1501;
  const double step = std::min(typical_distance(driver.time), typical_distance(response.time)) / 2;
  const double count = std::clamp(std::ceil((range.high - range.low) / step) + 1, double{kProfileLags}, kMostLags);
  return spread_lags(range, static_cast<int>(count));
}

/// Centroid of the attention profile, of lags that lie closer where it is high.
double attention_centroid(const AttentionProfile& attention, const std::vector<double>& driver,
                          const std::vector<double>& response, const std::vector<double>& lags,
                          const std::vector<double>& profile) {
  const Interval top = top_of(lags, profile);
  if (!(top.low < top.high)) return centroid_of(lags, profile);
  const std::vector<double> close = spread_lags(top, kProfileLags);
  return centroid_of(close, attention.correlations(close, driver, response));
}

/// Hears of a part of the work, and tells of the whole.
Told part_of(const Told& told, double from, double to) {
  if (!told) return {};
  return [=](double part) { told(from + part * (to - from)); };
}

}  // namespace

Interval lag_range(const PairSettings& settings, const ScaledCurve& driver, const ScaledCurve& response) {
  if (settings.lag_low == 0 && settings.lag_high == 0) return default_lag_range(driver, response);
  require(settings.lag_low < settings.lag_high, "pair: the lags reach from ", settings.lag_low, " to ",
          settings.lag_high, "; the first must be below the second.");
  const double latest = response.time.back() - driver.time.front(),
               earliest = response.time.front() - driver.time.back();
  require(settings.lag_low < latest && settings.lag_high > earliest, "pair: at no lag between ", settings.lag_low,
          " and ", settings.lag_high, " do the two curves overlap; they overlap at lags from ", earliest, " and ",
          latest, ".");
  return {std::max(settings.lag_low, earliest), std::min(settings.lag_high, latest)};
}

std::vector<double> spread_lags(Interval range, int count) {
  std::vector<double> lags;
  for (int i = 0; i < count; ++i) lags.push_back(range.low + (range.high - range.low) * i / (count - 1));
  return lags;
}

PairOutcome study_pair(const datasets::series::Curve& driver, const datasets::series::Curve& response,
                       const PairSettings& settings, const Random& random) {
  PairOutcome outcome;
  outcome.driver = driver.name;
  outcome.response = response.name;
  outcome.driver_curve = scaled_curve(settings.detrend ? detrended(driver) : driver);
  outcome.response_curve = scaled_curve(settings.detrend ? detrended(response) : response, settings.negative ? -1 : 1);
  const int trend = settings.detrend ? 1 : 0;
  const auto weighed = [&](const ScaledCurve& curve) {
    return settings.outliers ? outliers_weighed(curve, trend) : curve;
  };
  const ScaledCurve x = weighed(outcome.driver_curve), y = weighed(outcome.response_curve);
  outcome.range = lag_range(settings, x, y);
  PosteriorSettings of_posterior;
  of_posterior.low = outcome.range.low;
  of_posterior.high = outcome.range.high;
  of_posterior.trend = trend;
  of_posterior.tails = settings.tails;
  of_posterior.outliers = settings.outliers;
  of_posterior.told = part_of(settings.told, 0.02, kPosteriorPart);
  outcome.posterior = lag_posterior(x, y, of_posterior);
  const std::vector<UnrelatedPair> unrelated =
      unrelated_pairs(x, y, outcome.range, outcome.posterior, trend, settings.draws, random.stream("unrelated"));
  outcome.alarm =
      false_alarm(x, y, outcome.range, trend, unrelated, part_of(settings.told, kPosteriorPart, kAlarmPart));
  outcome.lags = settings.profile_lags.empty() ? spread_lags(outcome.range, kProfileLags) : settings.profile_lags;
  outcome.density = density_at(outcome.posterior, outcome.lags);
  const AttentionProfile attention(x, y);
  outcome.bandwidth = attention.bandwidth();
  outcome.attention = attention.correlations(outcome.lags, x.value, y.value);
  outcome.band = attention_null_band(attention, outcome.lags, unrelated);
  // the classical ones as they were published, with the stated errors
  outcome.interpolated = interpolated_correlation(outcome.driver_curve, outcome.response_curve, outcome.lags);
  outcome.centroid = centroid_lag(outcome.driver_curve, outcome.response_curve,
                                  centroid_lags(outcome.range, outcome.driver_curve, outcome.response_curve),
                                  kCentroidDraws, random.stream("centroid"));
  outcome.discrete = as_steps(
      discrete_correlation(outcome.driver_curve, outcome.response_curve, outcome.range, kDiscreteBins), outcome.lags);
  for (std::vector<double>* profile : {&outcome.attention, &outcome.band.low, &outcome.band.high, &outcome.interpolated,
                                       &outcome.discrete, &outcome.density})
    blank_outside(*profile, outcome.lags, outcome.range);
  outcome.attention_lag = attention_centroid(attention, x.value, y.value, outcome.lags, outcome.attention);
  if (settings.told) settings.told(1);
  return outcome;
}

}  // namespace fovea::lag::pair

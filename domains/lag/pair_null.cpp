#include "fovea/domains/lag/pair_null.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/attention/kernels/exponential.hpp"
#include "fovea/core/statistics/moments.hpp"
#include "fovea/datasets/light_curves.hpp"

namespace fovea::lag {

namespace {

constexpr int kLagsOfTest = 200;

/// A walk with these numbers at the curve's moments, measured with its errors.
std::vector<double> walk_like(const ScaledCurve& curve, const WalkNumbers& numbers, const Random& random) {
  std::vector<double> walk = damped_random_walk(curve.time, exponential(numbers.log_time), random.stream("walk"));
  const double deviation = exponential(numbers.log_deviation);
  const double further = curve.typical_error * exponential(numbers.log_driver_error);
  const Random noise = random.stream("noise");
  for (std::size_t i = 0; i < walk.size(); ++i)
    walk[i] = deviation * walk[i] + std::sqrt(curve.variance[i] + further * further) * noise.normal(i);
  return walk;
}

/// The statistic of any values at the moments of a pair.
class RelationTest {
 public:
  RelationTest(const ScaledCurve& driver, const ScaledCurve& response, const LagPosterior& posterior, Interval range,
               int trend)
      : driver_(driver),
        response_(response),
        alone_driver_(posterior.driver.numbers),
        alone_response_(posterior.response.numbers),
        trend_(trend) {
    shared_ = alone_driver_;
    shared_.log_time = (alone_driver_.log_time + alone_response_.log_time) / 2;
    shared_.log_scale = alone_response_.log_deviation - alone_driver_.log_deviation;
    shared_.log_response_error = alone_response_.log_driver_error;
    for (int i = 0; i < kLagsOfTest; ++i) {
      lags_.push_back(range.low + (range.high - range.low) * (i + 0.5) / kLagsOfTest);
      const double overlap = overlap_at(lags_.back(), driver, response);
      log_overlap_.push_back(overlap > kLeastOverlapOfTest ? 2 * logarithm(overlap) : -kNever);
    }
    const std::vector<double> nodes = width_nodes(response, range.high - range.low);
    for (std::size_t w = 0; w + 1 < nodes.size(); w += 2) widths_.push_back(nodes[w]);
  }

  double statistic(const std::vector<double>& driver, const std::vector<double>& response) const {
    ScaledCurve x = driver_, y = response_;
    x.value = driver;
    y.value = response;
    PairModel model(x, y, trend_);
    double best = -kNever;
    for (std::size_t i = 0; i < lags_.size(); ++i)
      for (const double width : widths_)
        if (log_overlap_[i] > -kNever)
          best = std::max(best, model.log_likelihood(lags_[i], width, shared_) + log_overlap_[i]);
    return best - model.log_likelihood_alone(false, alone_driver_) - model.log_likelihood_alone(true, alone_response_);
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static constexpr double kLeastOverlapOfTest = 0.1;  // with fewer points there is nothing to compare
  const ScaledCurve& driver_;
  const ScaledCurve& response_;
  WalkNumbers alone_driver_, alone_response_, shared_;
  int trend_;
  std::vector<double> lags_, log_overlap_, widths_;
};

}  // namespace

std::vector<UnrelatedPair> unrelated_pairs(const ScaledCurve& driver, const ScaledCurve& response,
                                           const LagPosterior& posterior, int draws, const Random& random) {
  std::vector<UnrelatedPair> pairs;
  for (int draw = 0; draw < draws; ++draw) {
    const Random of_draw = random.stream(std::to_string(draw));
    pairs.push_back({walk_like(driver, posterior.driver.numbers, of_draw.stream("driver")),
                     walk_like(response, posterior.response.numbers, of_draw.stream("response"))});
  }
  return pairs;
}

FalseAlarm false_alarm(const ScaledCurve& driver, const ScaledCurve& response, const LagPosterior& posterior,
                       Interval range, int trend, const std::vector<UnrelatedPair>& unrelated) {
  const RelationTest test(driver, response, posterior, range, trend);
  FalseAlarm found;
  found.statistic = test.statistic(driver.value, response.value);
  found.drawn.resize(unrelated.size());
  const auto draws = static_cast<std::ptrdiff_t>(unrelated.size());
#pragma omp parallel for schedule(dynamic)
  for (std::ptrdiff_t draw = 0; draw < draws; ++draw) {
    const UnrelatedPair& pair = unrelated[static_cast<std::size_t>(draw)];
    found.drawn[static_cast<std::size_t>(draw)] = test.statistic(pair.driver, pair.response);
  }
  const auto as_large =
      std::count_if(found.drawn.begin(), found.drawn.end(), [&](double drawn) { return !(drawn < found.statistic); });
  found.probability = (1.0 + static_cast<double>(as_large)) / (1.0 + static_cast<double>(draws));
  return found;
}

NullBand attention_null_band(const AttentionProfile& profile, std::size_t lags,
                             const std::vector<UnrelatedPair>& unrelated) {
  std::vector<std::vector<double>> profiles(unrelated.size());
  const auto draws = static_cast<std::ptrdiff_t>(unrelated.size());
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t draw = 0; draw < draws; ++draw) {
    const UnrelatedPair& pair = unrelated[static_cast<std::size_t>(draw)];
    profiles[static_cast<std::size_t>(draw)] = profile.correlations(pair.driver, pair.response);
  }
  NullBand band;
  for (std::size_t i = 0; i < lags; ++i) {
    std::vector<double> known;
    for (const std::vector<double>& one : profiles)
      if (!std::isnan(one[i])) known.push_back(one[i]);
    std::sort(known.begin(), known.end());
    const bool enough = known.size() >= 19;
    band.low.push_back(enough ? sorted_quantile(known, 0.025) : std::numeric_limits<double>::quiet_NaN());
    band.high.push_back(enough ? sorted_quantile(known, 0.975) : std::numeric_limits<double>::quiet_NaN());
  }
  return band;
}

}  // namespace fovea::lag

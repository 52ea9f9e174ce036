#include "fovea/domains/lag/pair/model.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/statistics/median.hpp"
#include "fovea/core/statistics/simplex_search.hpp"

namespace fovea::lag::pair {

namespace {

double squared(double x) { return x * x; }

std::vector<double> packed(const WalkNumbers& n) {
  return {n.log_time, n.log_deviation, n.log_scale, n.log_driver_error, n.log_response_error};
}
WalkNumbers unpacked(const std::vector<double>& x) { return {x[0], x[1], x[2], x[3], x[4]}; }

double spanned(const ScaledCurve& curve) { return curve.time.back() - curve.time.front(); }

constexpr double kTolerance = 0.02;  // of the log posterior: a fiftieth of what one standard deviation changes it by

}  // namespace

ScaledCurve scaled_curve(const datasets::series::Curve& curve, double sign) {
  require(curve.time.size() >= 4, "pair: the curve '", curve.name, "' has ", curve.time.size(),
          " points; a lag needs at least 4.");
  require(std::is_sorted(curve.time.begin(), curve.time.end()), "pair: the times of '", curve.name,
          "' must ascend; sort them.");
  ScaledCurve scaled;
  scaled.time = curve.time;
  const auto count = static_cast<double>(curve.value.size());
  double plain_mean = 0, plain_variance = 0;
  for (const double value : curve.value) plain_mean += value / count;
  for (const double value : curve.value) plain_variance += squared(value - plain_mean) / count;
  require(plain_variance > 0, "pair: the curve '", curve.name, "' is constant, so that it has no lag.");
  double weights = 0, sum = 0, squares = 0;
  for (std::size_t i = 0; i < curve.value.size(); ++i) {
    const double weight = 1 / (squared(curve.error[i]) + plain_variance / 10);
    weights += weight;
    sum += weight * curve.value[i];
  }
  scaled.mean = sum / weights;
  for (std::size_t i = 0; i < curve.value.size(); ++i)
    squares += squared(curve.value[i] - scaled.mean) / (squared(curve.error[i]) + plain_variance / 10);
  scaled.deviation = std::sqrt(squares / weights);
  for (std::size_t i = 0; i < curve.value.size(); ++i) {
    scaled.value.push_back(sign * (curve.value[i] - scaled.mean) / scaled.deviation);
    scaled.variance.push_back(squared(curve.error[i] / scaled.deviation));
  }
  scaled.stated_variance = scaled.variance;
  const double median = std::sqrt(upper_median(scaled.variance));
  scaled.typical_error = median > 0 ? median : 0.1;
  return scaled;
}

double typical_distance(const std::vector<double>& time) {
  std::vector<double> distances;
  for (std::size_t i = 1; i < time.size(); ++i) distances.push_back(time[i] - time[i - 1]);
  const double mean = (time.back() - time.front()) / static_cast<double>(distances.size());
  return std::max(upper_median(distances), mean / 20);
}

double further_variance(const ScaledCurve& curve, double log_further_error) {
  return squared(curve.typical_error * exponential(log_further_error));
}

PairModel::PairModel(const ScaledCurve& driver, const ScaledCurve& response, int trend)
    : driver_(driver),
      response_(response),
      span_(std::max(spanned(driver), spanned(response))),
      both_(driver.samples(), response.samples(), trend),
      driver_alone_(driver.samples(), {}, trend),
      response_alone_({}, response.samples(), trend) {}

double PairModel::log_likelihood(double lag, const EchoWindow& window, const WalkNumbers& numbers) {
  DelayedWalkParameters parameters;
  parameters.damping_time = exponential(numbers.log_time);
  parameters.deviation = exponential(numbers.log_deviation);
  parameters.scale = exponential(numbers.log_scale);
  parameters.lag = lag;
  parameters.width = window.width;
  parameters.tail = window.tail;
  parameters.driver_variance = further_variance(driver_, numbers.log_driver_error);
  parameters.response_variance = further_variance(response_, numbers.log_response_error);
  return both_.log_likelihood(parameters);
}

double PairModel::log_prior(const WalkNumbers& numbers) const {
  const auto normal = [](double x, double mean, double deviation) { return -0.5 * squared((x - mean) / deviation); };
  return normal(numbers.log_time, logarithm(span_ / 10), 2) + normal(numbers.log_deviation, 0, 1) +
         normal(numbers.log_scale, 0, 1) + normal(numbers.log_driver_error, -2, 2) +
         normal(numbers.log_response_error, -2, 2);
}

WalkNumbers PairModel::fitted(double lag, const EchoWindow& window, const WalkNumbers& start, int evaluations) {
  const auto lost = [&](const std::vector<double>& x) {
    return -log_likelihood(lag, window, unpacked(x)) - log_prior(unpacked(x));
  };
  return unpacked(simplex_minimum(lost, packed(start), {0.5, 0.3, 0.3, 0.7, 0.7}, kTolerance, evaluations).at);
}

double PairModel::driver_likelihood(const WalkNumbers& numbers) {
  DelayedWalkParameters parameters;
  parameters.damping_time = exponential(numbers.log_time);
  parameters.deviation = exponential(numbers.log_deviation);
  parameters.driver_variance = further_variance(driver_, numbers.log_driver_error);
  return driver_alone_.log_likelihood(parameters);
}

double PairModel::response_likelihood(double width, const WalkNumbers& numbers) {
  DelayedWalkParameters parameters;
  parameters.damping_time = exponential(numbers.log_time);
  parameters.deviation = exponential(numbers.log_deviation);
  parameters.width = width;
  parameters.response_variance = further_variance(response_, numbers.log_driver_error);
  return response_alone_.log_likelihood(parameters);
}

template <typename Likelihood>
PairModel::Alone PairModel::alone(const Likelihood& likelihood) const {
  const auto numbers = [](const std::vector<double>& x) { return WalkNumbers{x[0], x[1], 0, x[2], -2}; };
  const auto lost = [&](const std::vector<double>& x) { return -likelihood(numbers(x)) - log_prior(numbers(x)); };
  const SimplexMinimum least = simplex_minimum(lost, {logarithm(span_ / 10), 0, -2}, {0.7, 0.3, 0.7}, kTolerance, 200);
  return {numbers(least.at), likelihood(numbers(least.at))};
}

PairModel::Alone PairModel::driver_alone() {
  return alone([&](const WalkNumbers& numbers) { return driver_likelihood(numbers); });
}
PairModel::Alone PairModel::response_alone(double width) {
  return alone([&](const WalkNumbers& numbers) { return response_likelihood(width, numbers); });
}

}  // namespace fovea::lag::pair

#include "fovea/domains/lag/pair/profiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/attention/fast/line_attention.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea::lag::pair {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFewestPoints = 6;  // that must meet for a correlation to be shown
constexpr double kFewestShare = 0.1;      // of the points

/// Correlation of two lists with weights, as they come.
struct WeightedCorrelation {
  double weight = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  std::size_t count = 0;
  void add(double w, double a, double b) {
    weight += w;
    x += w * a;
    y += w * b;
    xx += w * a * a;
    xy += w * a * b;
    yy += w * b * b;
    ++count;
  }
  double value(std::size_t of_all) const {
    if (count < kFewestPoints || static_cast<double>(count) < kFewestShare * static_cast<double>(of_all))
      return kNothing;
    const double var_x = xx / weight - x * x / (weight * weight), var_y = yy / weight - y * y / (weight * weight);
    if (!(var_x > 1e-12) || !(var_y > 1e-12)) return kNothing;
    return (xy / weight - x * y / (weight * weight)) / std::sqrt(var_x * var_y);
  }
};

/// Mean squared error of predicting each value from the others by attention over time; without any other key in reach
/// the prediction is the mean, 0.
double leave_one_out_error(const ScaledCurve& curve, const std::vector<double>& strengths, double bandwidth,
                           LineAttention& attention) {
  const std::size_t points = curve.time.size();
  std::vector<double> weights(points), values(points);
  attention.gaussian_sums(curve.time, curve.time, curve.value, strengths, bandwidth * bandwidth, weights, values);
  double error = 0, total = 0;
  for (std::size_t i = 0; i < points; ++i) {
    const double others = weights[i] - strengths[i];
    const double predicted = others > 1e-9 * strengths[i] ? (values[i] - strengths[i] * curve.value[i]) / others : 0;
    error += strengths[i] * (curve.value[i] - predicted) * (curve.value[i] - predicted);
    total += strengths[i];
  }
  return error / total;
}

/// Sum over one direction: `asked` moments of one curve, moved, in the other curve interpolated between its points.
double interpolated_one_way(const std::vector<double>& asked_time, const std::vector<double>& asked_value, double shift,
                            const std::vector<double>& time, const std::vector<double>& value) {
  WeightedCorrelation correlation;
  std::size_t next = 1;
  for (std::size_t j = 0; j < asked_time.size(); ++j) {
    const double at = asked_time[j] + shift;
    if (at < time.front() || at > time.back()) continue;
    while (next + 1 < time.size() && time[next] < at) ++next;
    const double distance = time[next] - time[next - 1];
    const double part = distance > 0 ? (at - time[next - 1]) / distance : 0.5;
    correlation.add(1, value[next - 1] + part * (value[next] - value[next - 1]), asked_value[j]);
  }
  return correlation.value(asked_time.size());
}

double mean_of_known(double a, double b) {
  if (std::isnan(a)) return b;
  return std::isnan(b) ? a : (a + b) / 2;
}

/// A curve drawn with replacement, each point once, with errors added.
ScaledCurve drawn_again(const ScaledCurve& curve, const Random& random, std::uint64_t draw) {
  const std::size_t points = curve.time.size();
  std::vector<int> times(points, 0);
  for (std::size_t i = 0; i < points; ++i) ++times[random.below(points, i, draw)];
  ScaledCurve drawn;
  for (std::size_t i = 0; i < points; ++i) {
    if (times[i] == 0) continue;
    // a point drawn n times counts as n measurements: its error is smaller by sqrt(n) (Welsh 1999)
    const double error = std::sqrt(curve.variance[i] / times[i]);
    drawn.time.push_back(curve.time[i]);
    drawn.value.push_back(curve.value[i] + error * random.stream("flux").normal(i, draw));
    drawn.variance.push_back(curve.variance[i]);
  }
  return drawn;
}

/// From the first to behind the last place about the largest value where the profile is above 0.8 of it; none where no
/// value is above 0.
struct Places {
  std::size_t low = 0, high = 0;
};
Places top_places(const std::vector<double>& correlations) {
  std::size_t top = correlations.size();
  for (std::size_t i = 0; i < correlations.size(); ++i)
    if (!std::isnan(correlations[i]) && (top == correlations.size() || correlations[i] > correlations[top])) top = i;
  if (top == correlations.size() || correlations[top] <= 0) return {};
  const double bound = 0.8 * correlations[top];
  Places found{top, top + 1};
  while (found.low > 0 && correlations[found.low - 1] >= bound) --found.low;
  while (found.high < correlations.size() && correlations[found.high] >= bound) ++found.high;
  return found;
}

}  // namespace

AttentionProfile::AttentionProfile(const ScaledCurve& driver, const ScaledCurve& response)
    : driver_(driver), response_(response) {
  const auto weight = [](const ScaledCurve& curve, std::size_t i) {
    return 1 / (curve.variance[i] + curve.typical_error * curve.typical_error);
  };
  for (std::size_t i = 0; i < driver.time.size(); ++i) strengths_.push_back(weight(driver, i));
  for (std::size_t j = 0; j < response.time.size(); ++j) response_weights_.push_back(weight(response, j));
  LineAttention attention;
  const double least = typical_distance(driver.time) / 2;
  double best = std::numeric_limits<double>::infinity();
  for (double bandwidth = least; bandwidth < 40 * least; bandwidth *= 1.3) {
    const double error = leave_one_out_error(driver, strengths_, bandwidth, attention);
    if (error >= best) continue;
    best = error;
    bandwidth_ = bandwidth;
  }
}

std::vector<double> AttentionProfile::correlations(const std::vector<double>& lags, const std::vector<double>& driver,
                                                   const std::vector<double>& response) const {
  LineAttention attention;
  const std::size_t points = response.size();
  const double h = bandwidth_;
  std::vector<double> queries(points), weights(points), values(points), profile;
  for (const double lag : lags) {
    for (std::size_t j = 0; j < points; ++j) queries[j] = response_.time[j] - lag;
    attention.gaussian_sums(queries, driver_.time, driver, strengths_, h * h, weights, values);
    WeightedCorrelation correlation;
    std::size_t next = 0;
    for (std::size_t j = 0; j < points; ++j) {
      while (next < driver_.time.size() && driver_.time[next] < queries[j]) ++next;
      const bool met = (next < driver_.time.size() && driver_.time[next] - queries[j] <= 2 * h) ||
                       (next > 0 && queries[j] - driver_.time[next - 1] <= 2 * h);
      if (met) correlation.add(response_weights_[j], values[j] / weights[j], response[j]);
    }
    profile.push_back(correlation.value(points));
  }
  return profile;
}

std::vector<double> interpolated_correlation(const ScaledCurve& driver, const ScaledCurve& response,
                                             const std::vector<double>& lags) {
  std::vector<double> profile;
  for (const double lag : lags)
    profile.push_back(
        mean_of_known(interpolated_one_way(response.time, response.value, -lag, driver.time, driver.value),
                      interpolated_one_way(driver.time, driver.value, lag, response.time, response.value)));
  return profile;
}

Interval top_of(const std::vector<double>& lags, const std::vector<double>& correlations) {
  const auto [low, high] = top_places(correlations);
  if (low == high) return {kNothing, kNothing};
  return {lags[low > 0 ? low - 1 : low], lags[std::min(high, lags.size() - 1)]};
}

double centroid_of(const std::vector<double>& lags, const std::vector<double>& correlations) {
  const auto [low, high] = top_places(correlations);
  double sum = 0, moment = 0;
  for (std::size_t i = low; i < high; ++i) {
    sum += correlations[i];
    moment += correlations[i] * lags[i];
  }
  return low < high ? moment / sum : kNothing;
}

CentroidLag centroid_lag(const ScaledCurve& driver, const ScaledCurve& response, const std::vector<double>& lags,
                         int draws, const Random& random) {
  const std::vector<double> profile = interpolated_correlation(driver, response, lags);
  CentroidLag found;
  found.lag = centroid_of(lags, profile);
  for (const double r : profile) found.peak = r > found.peak ? r : found.peak;
  std::vector<double> centroids(draws);
#pragma omp parallel for schedule(static)
  for (int draw = 0; draw < draws; ++draw) {
    const auto number = static_cast<std::uint64_t>(draw);
    const ScaledCurve x = drawn_again(driver, random.stream("driver"), number);
    const ScaledCurve y = drawn_again(response, random.stream("response"), number);
    centroids[draw] =
        x.time.size() < 4 || y.time.size() < 4 ? kNothing : centroid_of(lags, interpolated_correlation(x, y, lags));
  }
  std::erase_if(centroids, [](double c) { return std::isnan(c); });
  std::sort(centroids.begin(), centroids.end());
  found.interval68 = centroids.empty()
                         ? Interval{kNothing, kNothing}
                         : Interval{sorted_quantile(centroids, 0.15865), sorted_quantile(centroids, 0.84135)};
  return found;
}

}  // namespace fovea::lag::pair

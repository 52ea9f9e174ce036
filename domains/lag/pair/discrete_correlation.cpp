#include <algorithm>
#include <cmath>

#include "fovea/core/kernels/exponential.hpp"
#include "fovea/domains/lag/pair/profiles.hpp"

namespace fovea::lag::pair {

namespace {

constexpr std::size_t kFewestPairs = 11;  // Alexander 1997, section 2.3: fewer make the z-transform unreliable

struct PointPair {
  double lag;
  std::size_t driver, response;
};

std::vector<PointPair> pairs_by_lag(const ScaledCurve& driver, const ScaledCurve& response, Interval range) {
  std::vector<PointPair> pairs;
  for (std::size_t i = 0; i < driver.time.size(); ++i)
    for (std::size_t j = 0; j < response.time.size(); ++j)
      if (const double lag = response.time[j] - driver.time[i]; range.holds(lag)) pairs.push_back({lag, i, j});
  std::sort(pairs.begin(), pairs.end(), [](const PointPair& a, const PointPair& b) {
    return a.lag != b.lag ? a.lag < b.lag : a.driver < b.driver;
  });
  return pairs;
}

double bounded_tanh(double z) {
  const double power = exponential(-2 * std::abs(z));
  return std::copysign((1 - power) / (1 + power), z);
}

/// The bin's mean lag and correlation, with the interval of one standard deviation of Fisher's z (Alexander 1997,
/// eqs. 2 to 5, to the second order in 1 / (n - 1)).
void close_bin(const std::vector<PointPair>& bin, const ScaledCurve& driver, const ScaledCurve& response,
               DiscreteCorrelation& found) {
  const auto n = static_cast<double>(bin.size());
  double lag = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (const PointPair& pair : bin) {
    lag += pair.lag / n;
    x += driver.value[pair.driver] / n;
    y += response.value[pair.response] / n;
  }
  for (const PointPair& pair : bin) {
    const double dx = driver.value[pair.driver] - x, dy = response.value[pair.response] - y;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  if (!(xx > 0) || !(yy > 0)) return;
  const double r = std::clamp(xy / std::sqrt(xx * yy), -0.9999, 0.9999), z = 0.5 * logarithm((1 + r) / (1 - r));
  const double bias = r / (2 * (n - 1)) * (1 + (5 + r * r) / (4 * (n - 1)));
  const double variance =
      (1 + (4 - r * r) / (2 * (n - 1)) + (22 - 6 * r * r - 3 * r * r * r * r) / (6 * (n - 1) * (n - 1))) / (n - 1);
  found.lag.push_back(lag);
  found.value.push_back(r);
  found.low.push_back(bounded_tanh(z - bias - std::sqrt(variance)));
  found.high.push_back(bounded_tanh(z - bias + std::sqrt(variance)));
}

}  // namespace

DiscreteCorrelation discrete_correlation(const ScaledCurve& driver, const ScaledCurve& response, Interval range,
                                         int bins) {
  const double least_width = (range.high - range.low) / bins;
  DiscreteCorrelation found;
  std::vector<PointPair> bin;
  std::vector<std::size_t> driver_in(driver.time.size(), 0), response_in(response.time.size(), 0);
  std::size_t number = 1;  // of the bin: a point marked with it is in it
  double begun = 0;
  for (const PointPair& pair : pairs_by_lag(driver, response, range)) {
    if (!bin.empty() && bin.size() >= kFewestPairs && pair.lag - begun > least_width) {
      close_bin(bin, driver, response, found);
      bin.clear();
      ++number;
    }
    if (driver_in[pair.driver] == number || response_in[pair.response] == number) continue;
    if (bin.empty()) begun = pair.lag;
    driver_in[pair.driver] = response_in[pair.response] = number;
    bin.push_back(pair);
  }
  if (bin.size() >= kFewestPairs) close_bin(bin, driver, response, found);
  return found;
}

}  // namespace fovea::lag::pair

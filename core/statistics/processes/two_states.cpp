#include "fovea/core/statistics/processes/two_states.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea {

namespace {

using Pair = std::array<double, 2>;

/// Of each month: the probabilities of both states before its value and with it.
struct FilteredStates {
  std::vector<Pair> before, with;
  double log_likelihood = 0;
};

FilteredStates filtered(const TwoStates& states, std::span<const double> series) {
  FilteredStates result;
  Pair now = states.begin;
  for (const double x : series) {
    result.before.push_back(now);
    if (!std::isnan(x)) {
      Pair exponent;
      for (int k = 0; k < 2; ++k) exponent[k] = -(x - states.mean[k]) * (x - states.mean[k]) / (2 * states.variance);
      const double largest = std::max(exponent[0], exponent[1]);  // far from both means both densities vanish
      for (int k = 0; k < 2; ++k) now[k] *= exponential(exponent[k] - largest);
      const double sum = now[0] + now[1];
      result.log_likelihood += std::log(sum) + largest - std::log(2 * std::numbers::pi * states.variance) / 2;
      for (double& p : now) p /= sum;
    }
    result.with.push_back(now);
    const double low = now[0] * states.stay[0] + now[1] * (1 - states.stay[1]);
    now = {low, 1 - low};
  }
  return result;
}

/// The parameters that are most likely given what the last ones make of the series.
TwoStates maximised(const TwoStates& last, const FilteredStates& seen, std::span<const double> series) {
  Pair after = seen.with.back(), weight{}, sum{}, square{}, left{}, stayed{};
  for (std::size_t t = series.size(); t-- > 0;) {
    if (t + 1 < series.size()) {  // smoothed: P(S_t | all) from P(S_(t+1) | all)
      Pair joint_sum{};
      for (int from = 0; from < 2; ++from)
        for (int to = 0; to < 2; ++to) {
          const double step = from == to ? last.stay[from] : 1 - last.stay[from];
          const double expected = seen.before[t + 1][to];
          const double joint = expected > 0 ? seen.with[t][from] * step * after[to] / expected : 0;
          joint_sum[from] += joint;
          left[from] += joint;
          if (from == to) stayed[from] += joint;
        }
      after = joint_sum;
    }
    if (std::isnan(series[t])) continue;
    for (int k = 0; k < 2; ++k) {
      weight[k] += after[k];
      sum[k] += after[k] * series[t];
      square[k] += after[k] * series[t] * series[t];
    }
  }
  TwoStates next = last;
  next.begin = after;
  double residual = 0;
  for (int k = 0; k < 2; ++k) {
    if (left[k] > 0) next.stay[k] = stayed[k] / left[k];
    if (weight[k] > 0) next.mean[k] = sum[k] / weight[k];
    residual += square[k] - 2 * next.mean[k] * sum[k] + next.mean[k] * next.mean[k] * weight[k];
  }
  next.variance = std::max(residual / (weight[0] + weight[1]), 1e-12);  // of a scaled series: two values only
  return next;
}

}  // namespace

TwoStates fit_two_states(std::span<const double> series) {
  constexpr int kMostRounds = 1000;
  constexpr double kAtRest = 1e-8;  // nats that a round adds
  std::vector<double> scaled, values;
  for (const double x : series)
    if (!std::isnan(x)) values.push_back(x);
  require(std::set<double>(values.begin(), values.end()).size() >= 3,
          "fit_two_states: the series has fewer than three different values; two states need more.");
  const Moments all = moments(values);
  const double deviation = std::sqrt(all.variance);
  for (const double x : series) scaled.push_back((x - all.mean) / deviation);
  TwoStates states{{-1, 0.5}, {0.9, 0.97}, {0.2, 0.8}, 0.5, -INFINITY};  // rarer and shorter where it is low
  for (int round = 0; round < kMostRounds; ++round) {
    const FilteredStates seen = filtered(states, scaled);
    const bool rests = !(seen.log_likelihood - states.log_likelihood > kAtRest);
    states.log_likelihood = seen.log_likelihood;
    if (rests) break;
    states = maximised(states, seen, scaled);
  }
  if (states.mean[0] > states.mean[1])
    for (Pair* pair : {&states.mean, &states.stay, &states.begin}) std::swap((*pair)[0], (*pair)[1]);
  for (double& mean : states.mean) mean = all.mean + deviation * mean;
  states.variance *= all.variance;
  states.log_likelihood -= static_cast<double>(values.size()) * std::log(deviation);
  return states;
}

std::vector<double> filtered_low_state(const TwoStates& states, std::span<const double> series) {
  std::vector<double> low;
  for (const Pair& both : filtered(states, series).with) low.push_back(both[0]);
  return low;
}

}  // namespace fovea

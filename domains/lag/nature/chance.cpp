#include "fovea/domains/lag/nature/chance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"

namespace fovea::lag::nature {

namespace {

// On a random walk L is so many times what chi squared says, in the tails that decide (simulated walks, see the
// header).
// 1 + this for one cycle, less as 1 / cycles^2: faster waves know no unit root.
constexpr double kSlowestWave = 1.5;
// Of a straight trend, and of one with more degrees.
constexpr double kLine = 2.1, kBend = 1.8;
// The best of all rows is as the best of 100 independent ones.
constexpr double kStep = 1.35, kStepRows = 100;
// Of several series together; where their unit roots are ruled out, less.
constexpr double kTrends = 2.8, kSteps = 2.65, kSettled = 1.4;
// Rows to choose from, in effect.
constexpr double kStepRowsTogether = 4, kStepRowsSettled = 30;
// Of the mean statistic: -2.2 and variance .75 (Im, Pesaran & Shin 2003), .4 less for a course that was chosen.
constexpr double kMeanOfWalks = -2.6, kVarianceOfWalks = 0.75, kDeviations = 3;

}  // namespace

double settled_evidence(double evidence, double cycles) { return evidence / (1 + kSlowestWave / (cycles * cycles)); }

double chance_of_wave(double evidence, double cycles) { return std::exp(-0.5 * settled_evidence(evidence, cycles)); }

// What is beyond the mean counts less where the rests have tails: the variance of the sum is that much larger.
double chance_of_pattern(double evidence, double degrees, double tails, double rows) {
  const double beyond = std::max(0.0, evidence - degrees) / (1 + std::max(0.0, tails) * (degrees + 1) / rows);
  return chi_squared_upper(std::min(evidence, degrees) + beyond, degrees);
}

double chance_of_trend(double evidence, Index degrees) {
  return chi_squared_upper(evidence / (degrees == 1 ? kLine : kBend), static_cast<double>(degrees));
}

double chance_of_differing_levels(double evidence, Index degrees) {
  return chi_squared_upper(evidence / kBend, static_cast<double>(degrees));
}

double chance_of_step(double evidence) { return std::min(1.0, kStepRows * std::exp(-0.5 * evidence / kStep)); }

double chance_of_trends(double evidence, double degrees, double series, bool settled) {
  return chi_squared_upper(evidence / (settled ? kSettled : kTrends), degrees * series);
}

double chance_of_steps(double evidence, double series, bool settled) {
  const double rows = settled ? kStepRowsSettled : kStepRowsTogether;
  return std::min(1.0, rows * chi_squared_upper(evidence / (settled ? kSettled : kSteps), series));
}

bool rules_out_unit_roots(double mean_statistic, double series) {
  return mean_statistic < kMeanOfWalks - kDeviations * std::sqrt(kVarianceOfWalks / series);
}

double chance_of_unit_root(double statistic) {
  constexpr std::array<std::pair<double, double>, 10> kQuantiles{{{-3.43, 0.01},
                                                                  {-3.12, 0.025},
                                                                  {-2.86, 0.05},
                                                                  {-2.57, 0.10},
                                                                  {-1.57, 0.50},
                                                                  {-0.44, 0.90},
                                                                  {-0.07, 0.95},
                                                                  {0.23, 0.975},
                                                                  {0.60, 0.99},
                                                                  {2.0, 0.9999}}};
  std::size_t k = 1;  // between two quantiles as a normal deviate would go
  while (k + 1 < kQuantiles.size() && statistic > kQuantiles[k].first) ++k;
  const auto& [low, p_low] = kQuantiles[k - 1];
  const auto& [high, p_high] = kQuantiles[k];
  const double z_low = normal_quantile(p_low), z_high = normal_quantile(p_high);
  return normal_cdf(z_low + (z_high - z_low) * (statistic - low) / (high - low));
}

// The k-th smallest of m, times m / k: a course of a few series alone is seen as one of all.
double joint_chance(std::vector<double> p_values) {
  std::sort(p_values.begin(), p_values.end());
  double least = 1;
  for (std::size_t k = 0; k < p_values.size(); ++k)
    least = std::min(least, p_values[k] * static_cast<double>(p_values.size()) / static_cast<double>(k + 1));
  return least;
}

}  // namespace fovea::lag::nature

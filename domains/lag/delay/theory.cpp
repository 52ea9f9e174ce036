#include "fovea/domains/lag/delay/theory.hpp"

#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"

namespace fovea::lag::delay {

double chance_of_largest(double mean, Index others) {
  require(mean >= 0 && others >= 0, "chance_of_largest: a mean of ", mean, " and ", others,
          " others; neither may be negative.");
  constexpr int kIntervals = 1000;
  constexpr double kTail = 10;  // standard deviations behind the mean: 1e-23 is left out
  const auto density = [](double z) { return exponential(-z * z / 2) / std::sqrt(2 * std::numbers::pi); };
  const auto integrand = [&](double z) {
    const double inside = 2 * normal_cdf(z) - 1;
    const double all = inside > 0 ? exponential(static_cast<double>(others) * logarithm(inside)) : others == 0 ? 1 : 0;
    return (density(z - mean) + density(z + mean)) * all;
  };
  const double first = std::fmax(0, mean - kTail), step = (mean + kTail - first) / kIntervals;
  double sum = integrand(first) + integrand(mean + kTail);
  for (int k = 1; k < kIntervals; ++k) sum += (k % 2 == 1 ? 4 : 2) * integrand(first + k * step);
  return sum * step / 3;
}

double mean_for_chance(double chance, Index others) {
  require(chance > 1 / static_cast<double>(others + 1) && chance < 1, "mean_for_chance: a chance of ", chance,
          "; it must be above that of a guess among ", others + 1, " and below 1.");
  double low = 0, high = 100;
  for (int round = 0; round < 60; ++round) {
    const double middle = (low + high) / 2;
    (chance_of_largest(middle, others) < chance ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace fovea::lag::delay

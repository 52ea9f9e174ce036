#include "fovea/core/statistics/tests/detectable.hpp"

#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"

namespace fovea {

namespace {

double area_error(double area, double positives, double negatives) {
  const double q1 = area / (2 - area), q2 = 2 * area * area / (1 + area);
  const double variance =
      area * (1 - area) + (positives - 1) * (q1 - area * area) + (negatives - 1) * (q2 - area * area);
  return std::sqrt(variance / (positives * negatives));
}

/// The least value above `chance` that lies as far from it as the two errors ask for, by halving; 1 where none does.
template <typename Error>
double least_seen(double chance, const Error& error) {
  constexpr int kHalvings = 60;
  const double level = normal_quantile(0.975), power = normal_quantile(0.8);
  const auto seen = [&](double value) { return value - chance >= level * error(chance) + power * error(value); };
  double low = chance, high = 1;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = (low + high) / 2;
    (seen(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

double detectable_auroc(double positives, double negatives) {
  if (!(positives >= 1 && negatives >= 1)) return kNan;
  return least_seen(0.5, [&](double area) { return area_error(area, positives, negatives); });
}

double detectable_accuracy(double cases, double chance) {
  if (!(cases >= 2 && chance > 0 && chance < 1)) return kNan;
  return least_seen(chance, [&](double share) { return std::sqrt(share * (1 - share) / cases); });
}

double detectable_correlation(double cases) {
  if (!(cases > 3)) return kNan;
  return std::tanh((normal_quantile(0.975) + normal_quantile(0.8)) / std::sqrt(cases - 3));
}

}  // namespace fovea

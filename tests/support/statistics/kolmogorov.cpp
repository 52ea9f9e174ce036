#include "fovea/tests/support/statistics/kolmogorov.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea::support {

namespace {

/// The limit of P(sqrt(n) D >= s): the alternating series, or its theta-function twin where that converges faster.
double kolmogorov_limit(double s) {
  constexpr double kPi = 3.14159265358979323846;
  if (s < 0.2) return 1;  // 1 - 1e-12
  double sum = 0;
  if (s < 1) {
    for (int k = 1; k <= 9; k += 2) sum += exponential(-k * k * kPi * kPi / (8 * s * s));
    return 1 - std::sqrt(2 * kPi) / s * sum;
  }
  for (int k = 6; k >= 1; --k) sum += (k % 2 == 1 ? 2 : -2) * exponential(-2.0 * k * k * s * s);
  return sum;
}

}  // namespace

KolmogorovTest kolmogorov_uniform(std::span<const double> values) {
  require(!values.empty(), "kolmogorov_uniform: there are no values.");
  for (const double value : values)
    require(value >= 0 && value <= 1, "kolmogorov_uniform: a value is ", value, ", but must be in [0, 1].");
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const auto n = static_cast<double>(sorted.size());
  KolmogorovTest test;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const auto below = static_cast<double>(k);
    test.distance = std::max({test.distance, sorted[k] - below / n, (below + 1) / n - sorted[k]});
  }
  const double root = std::sqrt(n);
  test.p_value = std::clamp(kolmogorov_limit(test.distance * (root + 0.12 + 0.11 / root)), 0.0, 1.0);
  return test;
}

}  // namespace fovea::support

#include "fovea/domains/opinion/theory/modes.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"

namespace fovea::opinion::theory {

namespace {

/// Coefficients of E (r x + z)^n, z ~ N(0, q), in powers of x: from E y^n = r x E y^(n-1) + q (n - 1) E y^(n-2).
std::vector<std::vector<double>> blurred_powers(int highest, double r, double q) {
  std::vector<std::vector<double>> powers{{1.0}};
  for (int n = 1; n <= highest; ++n) {
    std::vector<double> next(n + 1, 0.0);
    const auto& before = powers[n - 1];
    for (std::size_t k = 0; k < before.size(); ++k) next[k + 1] += r * before[k];
    if (n >= 2) {
      const auto& second = powers[n - 2];
      for (std::size_t k = 0; k < second.size(); ++k) next[k] += q * (n - 1) * second[k];
    }
    powers.push_back(std::move(next));
  }
  return powers;
}

/// M x^n as coefficients.
std::vector<double> moved_power(int n, double r, double temperature, const std::vector<std::vector<double>>& blurred) {
  std::vector<double> image(n + 1, 0.0);
  const auto add = [&](int power, std::size_t shift, double factor) {
    const auto& from = blurred[static_cast<std::size_t>(power)];
    for (std::size_t k = 0; k < from.size(); ++k) image[k + shift] += factor * from[k];
  };
  image.back() += r;
  add(n, 0, 1 - r);
  if (n >= 1) add(n - 1, 1, r * (1 - r) * n);
  if (n >= 2) add(n - 2, 0, -r * r * temperature * n * (n - 1));
  return image;
}

}  // namespace

std::vector<double> displacement_mode(int degree, double variance, double temperature) {
  require(degree >= 0 && degree <= 40, "displacement_mode: degree = ", degree, ", but must be in [0, 40].");
  require(variance > 0 && temperature > 0, "displacement_mode: variance = ", variance,
          " and temperature = ", temperature, ", but both must be > 0.");
  const double r = variance / (variance + temperature), growth = displacement_growth(degree, r);
  const auto blurred = blurred_powers(degree, r, r * temperature);
  const std::size_t n = degree;
  std::vector<double> mode(n + 1, 0.0), image = moved_power(degree, r, temperature, blurred);
  mode[n] = 1;
  // image holds M of what is known so far: at power k it lacks only mode[k] mu_k, and must be mu_n mode[k]
  for (int k = degree - 2; k >= 0; k -= 2) {
    const std::size_t place = k;
    mode[place] = image[place] / (growth - displacement_growth(k, r));
    const std::vector<double> moved = moved_power(k, r, temperature, blurred);
    for (std::size_t j = 0; j < moved.size(); ++j) image[j] += mode[place] * moved[j];
  }
  return mode;
}

}  // namespace fovea::opinion::theory

#include "fovea/domains/opinion/theory/uniform.hpp"

#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"

namespace fovea::opinion::theory {

double uniform_growth(double wave_number, double temperature) {
  require(temperature > 0, "uniform_growth: temperature = ", temperature, ", but must be > 0.");
  const double stretch = temperature * wave_number * wave_number;
  return 1 + stretch * std::exp(-0.5 * stretch);
}

double window_growth(double wave_number, double bound) {
  require(bound > 0, "window_growth: bound = ", bound, ", but must be > 0.");
  const double z = wave_number * bound;
  return z == 0 ? 1 : 1 + std::sin(z) / z - std::cos(z);
}

FastestRipple fastest_uniform_ripple(double temperature) {
  require(temperature > 0, "fastest_uniform_ripple: temperature = ", temperature, ", but must be > 0.");
  return {std::sqrt(2 / temperature), 1 + 2 / std::numbers::e};
}

FastestRipple fastest_window_ripple(double bound) {
  require(bound > 0, "fastest_window_ripple: bound = ", bound, ", but must be > 0.");
  const auto slope = [](double z) { return std::cos(z) / z - std::sin(z) / (z * z) + std::sin(z); };
  double low = 2, high = std::numbers::pi;  // the growth still rises at 2 and falls at pi
  for (double middle = 2.5; low < middle && middle < high; middle = 0.5 * (low + high))
    (slope(middle) > 0 ? low : high) = middle;
  return {low / bound, window_growth(low / bound, bound)};
}

}  // namespace fovea::opinion::theory

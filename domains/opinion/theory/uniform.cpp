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

}  // namespace fovea::opinion::theory

#include "fovea/domains/opinion/theory/noise.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"

namespace fovea::opinion::theory {

double noisy_crowd_variance(double temperature, double coupling, double noise, double time_step) {
  require(temperature > 0 && coupling > 0 && noise > 0, "noisy_crowd_variance: temperature = ", temperature,
          ", coupling = ", coupling, ", noise = ", noise, ", but all must be > 0.");
  require(time_step >= 0 && time_step < 1, "noisy_crowd_variance: time_step = ", time_step, ", but must be in [0, 1).");
  const double inside = 1 - 4 * coupling * noise / temperature;
  if (inside < 0) return kNan;
  double variance = temperature / (2 * coupling) * (1 - std::sqrt(inside));
  // Euler's variance is near; its equation is solved from the continuous one's answer (Newton)
  for (int round = 0; round < 50 && time_step > 0; ++round) {
    const double pull = coupling * variance / temperature - 1;
    const double excess = variance * (2 * pull + time_step * pull * pull) + 2 * noise;
    const double slope =
        2 * pull + time_step * pull * pull + variance * (2 + 2 * time_step * pull) * coupling / temperature;
    variance -= excess / slope;
  }
  return variance;
}

double mean_drifts_below(double coupling, double noise, double time_step) {
  require(coupling > 0.5 && coupling < 1, "mean_drifts_below: coupling = ", coupling, ", but must be in (1/2, 1).");
  return noise / ((1 - coupling) * (1 - 0.5 * coupling * time_step));
}

double noisy_crowd_growth(int degree, double coupling, double a) {
  require(degree >= 1, "noisy_crowd_growth: degree = ", degree, ", but must be >= 1.");
  return degree * (-1 + coupling * a + coupling * std::pow(a, degree - 1));
}

}  // namespace fovea::opinion::theory

#include "fovea/domains/opinion/theory/saturation.hpp"

#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"

namespace fovea::opinion::theory {

double saturated_consensus(double coupling, double steepness) {
  require(coupling > 0 && steepness > 0, "saturated_consensus: coupling = ", coupling, " and steepness = ", steepness,
          ", but both must be > 0.");
  if (coupling * steepness <= 1) return 0;
  double low = 0, high = coupling;  // K tanh(alpha a) - a is positive below the root, negative above
  for (double middle = 0.5 * high; low < middle && middle < high; middle = 0.5 * (low + high))
    (coupling * std::tanh(steepness * middle) > middle ? low : high) = middle;
  return 0.5 * (low + high);
}

double saturated_camps_temperature(double place, double coupling, double steepness) {
  require(place > 0 && place < saturated_consensus(coupling, steepness), "saturated_camps_temperature: place = ", place,
          ", but must be between 0 and the consensus ", saturated_consensus(coupling, steepness), ".");
  return place * place / std::atanh(place / (coupling * std::tanh(steepness * place)));
}

CampsEnd saturated_camps_end(double coupling, double steepness) {
  const double farthest = saturated_consensus(coupling, steepness);
  require(farthest > 0, "saturated_camps_end: coupling x steepness = ", coupling * steepness,
          ", but must be > 1; else there are no camps.");
  const auto temperature = [&](double a) { return saturated_camps_temperature(a, coupling, steepness); };
  // the curve is 0 at both ends with one maximum between: golden section
  const double kGolden = 1 / std::numbers::phi;
  double low = 1e-6 * farthest, high = (1 - 1e-9) * farthest;
  for (int round = 0; round < 100; ++round) {
    const double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
    (temperature(left) < temperature(right) ? low : high) = temperature(left) < temperature(right) ? left : right;
  }
  const double place = 0.5 * (low + high);
  return {temperature(place), place};
}

}  // namespace fovea::opinion::theory

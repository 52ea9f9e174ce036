#include "fovea/datasets/simulated/event_draws.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fovea::datasets::simulated {

double EventDraws::log_between(const Span& span) { return span.low * std::pow(span.high / span.low, uniform()); }

double EventDraws::exponential() { return -std::log1p(-uniform()); }

double EventDraws::azimuth() { return std::numbers::pi * (2 * uniform() - 1); }

Index EventDraws::poisson(double mean) {
  constexpr double kPart = 100;  // exp(-100) is still a number
  Index count = 0;
  for (double left = mean; left > 0; left -= kPart) {
    const double part = std::min(left, kPart), u = uniform();
    double term = std::exp(-part), below = term;
    for (Index n = 1; u >= below && n < 1000; ++n) {
      term *= part / static_cast<double>(n);
      below += term;
      ++count;
    }
  }
  return count;
}

Index EventDraws::negative_binomial(double mean, Index k) {
  double gamma = 0;
  for (Index i = 0; i < k; ++i) gamma += exponential();
  return poisson(mean * gamma / static_cast<double>(k));
}

}  // namespace fovea::datasets::simulated

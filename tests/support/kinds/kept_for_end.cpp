// Kinds without a lagged link by which a search is examined only once it is finished.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/tests/support/kinds/draws.hpp"
#include "fovea/tests/support/kinds/makers.hpp"

namespace fovea::support::kinds {

namespace {

/// Weights of past shocks of fractional noise (Hosking 1981): w_k = w_(k-1) (k - 1 + d) / k.
Vector<double> fractional_weights(double d, Index count) {
  Vector<double> weights(count);
  weights[0] = 1;
  for (Index k = 1; k < count; ++k)
    weights[k] = weights[k - 1] * (static_cast<double>(k - 1) + d) / static_cast<double>(k);
  return weights;
}

}  // namespace

KnownTable clipped_sensor(Index set, const Random& random) {
  constexpr double kLevels = 10, kEnd = 1;
  Draws draws(random);
  Matrix<double> values = normal_columns(draws, size_of(set));
  for (double& value : values.reshaped())
    value = std::round(std::clamp(value, -kEnd, kEnd) * kLevels / 2) * 2 / kLevels;
  return unlinked(std::move(values));
}

KnownTable drifting_season(Index set, const Random& random) {
  constexpr double kPeriod = 50, kPhaseStep = 0.03, kSizeStep = 0.02;  // random walks of the angle and of log size
  Draws draws(random);
  Matrix<double> values = normal_columns(draws, size_of(set));
  const Vector<double> a = amplitudes(draws, values.cols(), 0.5, 2, false);
  double angle = 0, log_size = 0;
  for (Index t = 0; t < values.rows(); ++t) {
    angle += 2 * std::numbers::pi / kPeriod + kPhaseStep * draws.normal();
    log_size = 0.999 * log_size + kSizeStep * draws.normal();
    values.row(t) += std::exp(log_size) * std::cos(angle) * a.transpose();
  }
  return unlinked(std::move(values));
}

KnownTable two_cycles(Index set, const Random& random) {
  Draws draws(random);
  Matrix<double> values = normal_columns(draws, size_of(set));
  for (const double period : {10 * std::numbers::sqrt2, 10 * std::numbers::pi}) {
    const Vector<double> a = amplitudes(draws, values.cols(), 0.5, 1.5, true);
    const double start = draws.between(0, period);
    for (Index t = 0; t < values.rows(); ++t)
      values.row(t) += std::cos(2 * std::numbers::pi * (static_cast<double>(t) + start) / period) * a.transpose();
  }
  return unlinked(std::move(values));
}

KnownTable seasonal_counts(Index set, const Random& random) {
  constexpr double kYear = 365.25;
  Draws draws(random);
  Size size = size_of(set);
  size.steps = std::max<Index>(size.steps, 800);
  const double start = draws.between(0, kYear);
  Matrix<double> values(size.steps, size.series);
  for (Index s = 0; s < size.series; ++s) {
    const double rate = draws.between(0.3, 0.8), swing = draws.between(0.5, 1);
    for (Index t = 0; t < size.steps; ++t) {
      const double course = std::cos(2 * std::numbers::pi * (static_cast<double>(t) + start) / kYear);
      const Index count = draws.poisson(rate * (1 + swing * course));
      values(t, s) = draws.happens(0.3) ? 0 : static_cast<double>(count);  // 30 % are not reported
    }
  }
  return unlinked(std::move(values), set % 2 == 0 ? Calendar::days : Calendar::none);
}

KnownTable shared_outages(Index set, const Random& random) {
  Draws draws(random);
  Matrix<double> values = normal_columns(draws, size_of(set));
  for (Index t = 0; t < values.rows(); ++t)
    if (draws.happens(0.02)) values.row(t).setConstant(-4);
  return unlinked(std::move(values));
}

KnownTable long_memory(Index set, const Random& random) {
  constexpr Index kWeights = 500;
  Draws draws(random);
  const Size size = size_of(set);
  const Vector<double> backwards = fractional_weights(0.4, kWeights).reverse();
  Matrix<double> values(size.steps, size.series);
  Vector<double> shocks(size.steps + kWeights);
  for (Index s = 0; s < size.series; ++s) {
    for (double& shock : shocks) shock = draws.normal();
    for (Index t = 0; t < size.steps; ++t) values(t, s) = backwards.dot(shocks.segment(t, kWeights));
  }
  return unlinked(std::move(values));
}

}  // namespace fovea::support::kinds

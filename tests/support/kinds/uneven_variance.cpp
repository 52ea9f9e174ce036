// Series whose variance changes: each by itself, all at once, or by shocks that hit all of them.

#include <cmath>

#include "fovea/tests/support/kinds/draws.hpp"
#include "fovea/tests/support/kinds/makers.hpp"

namespace fovea::support::kinds {

namespace {

KnownTable growing(Index set, const Random& random, double factor) {
  Draws draws(random);
  Matrix<double> values = normal_columns(draws, size_of(set));
  values *= amplitudes(draws, values.cols(), 0.5, 2, false).asDiagonal();
  values.bottomRows(values.rows() - values.rows() / 2) *= factor;
  return unlinked(std::move(values));
}

/// x(t) = sqrt(v) e(t), v = .05 + .15 x(t - 1)^2 + .8 v: variance 1 (Bollerslev 1986).
Vector<double> garch_shocks(Draws& draws, Index steps) {
  Vector<double> shocks(steps);
  double variance = 1;
  for (double& shock : shocks) {
    shock = std::sqrt(variance) * draws.normal();
    variance = 0.05 + 0.15 * shock * shock + 0.8 * variance;
  }
  return shocks;
}

}  // namespace

KnownTable growing_deviation(Index set, const Random& random) { return growing(set, random, 5); }

KnownTable growing_variance(Index set, const Random& random) { return growing(set, random, std::sqrt(5.0)); }

KnownTable common_volatility(Index set, const Random& random) {
  constexpr double kDeviation = 0.8;  // of the logarithm of the common standard deviation
  Draws draws(random);
  const Size size = size_of(set);
  const Vector<double> scale = (kDeviation * normal_series(draws, size.steps, 0.95)).array().exp();
  Matrix<double> values(size.steps, size.series);
  for (double& value : values.reshaped()) value = draws.normal();
  return unlinked(scale.asDiagonal() * values);
}

KnownTable common_jumps(Index set, const Random& random) {
  Draws draws(random);
  const Size size = size_of(set);
  Vector<double> jumps(size.steps + kStart);
  for (double& jump : jumps) jump = draws.happens(0.01) ? 6 * draws.normal() : 0;
  Matrix<double> values(size.steps, size.series);
  for (Index s = 0; s < size.series; ++s) {
    const double share = draws.between(0.5, 2);
    Vector<double> shocks = share * jumps;
    for (double& shock : shocks) shock += draws.normal();
    values.col(s) = with_memory(draws.between(0.3, 0.7), shocks);
  }
  return unlinked(std::move(values));
}

KnownTable garch(Index set, const Random& random) {
  Draws draws(random);
  const Size size = size_of(set);
  Matrix<double> values(size.steps, size.series);
  for (Index s = 0; s < size.series; ++s) values.col(s) = with_memory(0.3, garch_shocks(draws, size.steps + kStart));
  return unlinked(std::move(values));
}

}  // namespace fovea::support::kinds

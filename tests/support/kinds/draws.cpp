#include "fovea/tests/support/kinds/draws.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"

namespace fovea::support::kinds {

double Draws::exponential() { return -std::log1p(-uniform()); }

double Draws::cauchy() { return std::tan(std::numbers::pi * (uniform() - 0.5)); }

double Draws::student2() {
  const double z = normal();
  return z / std::sqrt(exponential());  // half a chi-squared of two degrees is exponential
}

Index Draws::poisson(double mean) {
  const double end = std::exp(-mean);
  Index count = 0;
  for (double product = uniform(); product > end; product *= uniform()) ++count;
  return count;
}

Size size_of(Index set) {
  constexpr std::array<Index, 4> kSeries{8, 12, 16, 20}, kSteps{600, 1000, 1500, 2000};
  const std::size_t k = set;
  return {kSteps[(k / 4 + k) % 4], kSeries[k % 4]};
}

Vector<double> with_memory(double a, const Vector<double>& shocks) {
  Vector<double> x(shocks.size());
  double now = 0;
  for (Index t = 0; t < shocks.size(); ++t) x[t] = now = a * now + shocks[t];
  return x.tail(shocks.size() - kStart) * std::sqrt(1 - a * a);
}

Vector<double> normal_series(Draws& draws, Index steps, double a) {
  Vector<double> shocks(steps + kStart);
  for (double& shock : shocks) shock = draws.normal();
  return with_memory(a, shocks);
}

Matrix<double> normal_columns(Draws& draws, Size size, double least, double most) {
  Matrix<double> values(size.steps, size.series);
  for (Index s = 0; s < size.series; ++s) values.col(s) = normal_series(draws, size.steps, draws.between(least, most));
  return values;
}

Vector<double> amplitudes(Draws& draws, Index series, double low, double high, bool with_signs) {
  Vector<double> factors(series);
  for (double& factor : factors) {
    factor = draws.between(low, high);
    if (with_signs) factor *= draws.sign();
  }
  return factors;
}

KnownTable unlinked(Matrix<double> values, Calendar calendar) {
  KnownTable known;
  for (Index s = 0; s < values.cols(); ++s) known.table.names.push_back(concat("x", s + 1));
  known.table.values = std::move(values);
  known.calendar = calendar;
  return known;
}

}  // namespace fovea::support::kinds

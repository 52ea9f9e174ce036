// Courses that all series of a table share, each with an amplitude of its own beside noise of unit variance: who sees
// one of them knows where in its course every other one is.

#include <cmath>
#include <numbers>

#include "fovea/tests/support/kinds/draws.hpp"
#include "fovea/tests/support/kinds/makers.hpp"

namespace fovea::support::kinds {

namespace {

Calendar dated(Index set, Calendar calendar) { return set % 2 == 0 ? calendar : Calendar::none; }

/// a_s (cos(w t + p + d_s) + second cos(2 w t + q + 2 d_s)), d_s normal with deviation .4: crests lie near each other.
void add_harmonics(Draws& draws, Matrix<double>& values, double period, double second) {
  const double w = 2 * std::numbers::pi / period;
  const double p = draws.between(0, 2 * std::numbers::pi), q = draws.between(0, 2 * std::numbers::pi);
  const Vector<double> a = amplitudes(draws, values.cols(), 0.5, 2, false);
  for (Index s = 0; s < values.cols(); ++s) {
    const double d = 0.4 * draws.normal();
    for (Index t = 0; t < values.rows(); ++t) {
      const double angle = w * static_cast<double>(t);
      values(t, s) += a[s] * (std::cos(angle + p + d) + second * std::cos(2 * angle + q + 2 * d));
    }
  }
}

/// `period` normal values of mean 0 and variance 1, repeated, times an amplitude a series.
void add_pattern(Draws& draws, Matrix<double>& values, Index period) {
  Vector<double> pattern(period);
  for (double& each : pattern) each = draws.normal();
  pattern.array() -= pattern.mean();
  pattern /= std::sqrt(pattern.squaredNorm() / static_cast<double>(period));
  const Vector<double> a = amplitudes(draws, values.cols(), 0.5, 2, false);
  for (Index t = 0; t < values.rows(); ++t) values.row(t) += pattern[t % period] * a.transpose();
}

KnownTable patterned(Index set, const Random& random, Index period, Calendar calendar) {
  Draws draws(random);
  Matrix<double> values = normal_columns(draws, size_of(set));
  add_pattern(draws, values, period);
  return unlinked(std::move(values), dated(set, calendar));
}

}  // namespace

KnownTable daily_course(Index set, const Random& random) {
  Draws draws(random);
  Matrix<double> values = normal_columns(draws, size_of(set));
  add_harmonics(draws, values, 24, 0.5);
  return unlinked(std::move(values), dated(set, Calendar::hours));
}

KnownTable yearly_course(Index set, const Random& random) {
  constexpr Index kTwoYears = 800;  // at least: of one course nobody can tell that it comes again
  Draws draws(random);
  Size size = size_of(set);
  size.steps = std::max(size.steps, kTwoYears);
  Matrix<double> values = normal_columns(draws, size);
  add_harmonics(draws, values, 365.25, 0.3);
  return unlinked(std::move(values), dated(set, Calendar::days));
}

KnownTable weekday_pattern(Index set, const Random& random) { return patterned(set, random, 7, Calendar::days); }

KnownTable month_pattern(Index set, const Random& random) { return patterned(set, random, 12, Calendar::months); }

KnownTable hours_of_week(Index set, const Random& random) { return patterned(set, random, 168, Calendar::hours); }

KnownTable level_shift(Index set, const Random& random) {
  Draws draws(random);
  Matrix<double> values = normal_columns(draws, size_of(set));
  const auto at = static_cast<Index>(draws.between(0.3, 0.7) * static_cast<double>(values.rows()));
  const Vector<double> steps = amplitudes(draws, values.cols(), 1, 4, true);
  values.bottomRows(values.rows() - at).rowwise() += steps.transpose();
  return unlinked(std::move(values));
}

KnownTable linear_trends(Index set, const Random& random) {
  Draws draws(random);
  Matrix<double> values = normal_columns(draws, size_of(set));
  const Vector<double> rises = amplitudes(draws, values.cols(), 1, 6, true);
  const Vector<double> share = Vector<double>::LinSpaced(values.rows(), 0, 1);
  values += share * rises.transpose();
  return unlinked(std::move(values));
}

KnownTable slow_factor(Index set, const Random& random) {
  Draws draws(random);
  Matrix<double> values = normal_columns(draws, size_of(set));
  const Vector<double> factor = normal_series(draws, values.rows(), 0.98);
  values += factor * amplitudes(draws, values.cols(), 0.5, 1.5, true).transpose();
  return unlinked(std::move(values));
}

}  // namespace fovea::support::kinds

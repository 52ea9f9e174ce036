#include "fovea/core/linear/single_effects.hpp"

#include "fovea/tests/support/test.hpp"

namespace {

struct EffectProblem {
  Matrix<double> products;
  Vector<double> with_target, log_prior;
};

/// Columns about their means, scaled to the square `rows`; the target last.
EffectProblem effect_problem(Matrix<double> columns) {
  const auto rows = static_cast<double>(columns.rows());
  columns.rowwise() -= columns.colwise().mean().eval();
  for (Index k = 0; k < columns.cols(); ++k) columns.col(k) *= std::sqrt(rows) / columns.col(k).norm();
  const Index keys = columns.cols() - 1;
  const Matrix<double> all = columns.transpose() * columns;
  return {all.topLeftCorner(keys, keys), all.col(keys).head(keys),
          Vector<double>::Constant(keys, -std::log(static_cast<double>(keys)))};
}

Matrix<double> noise_columns(Index rows, Index columns, std::uint64_t seed) {
  Matrix<double> noise(rows, columns);
  const Random random(seed);
  for (Index t = 0; t < rows; ++t)
    for (Index k = 0; k < columns; ++k)
      noise(t, k) = random.normal(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(t));
  return noise;
}

}  // namespace

TEST_CASE("Each head puts its attention on one key that carries an effect, also with more keys than rows",
          "[single_effects]") {
  Matrix<double> columns = noise_columns(200, 401, 11);
  columns.col(400) += 0.8 * columns.col(17) - 0.6 * columns.col(250) + 0.5 * columns.col(399);
  const EffectProblem problem = effect_problem(columns);
  const SingleEffects found =
      single_effects(WholeProducts(problem.products), problem.with_target, problem.log_prior, 200);
  Vector<double> weight = Vector<double>::Zero(400);
  Index on = 0;
  for (Index head = 0; head < found.weights.rows(); ++head) {
    CHECK(found.weights.row(head).sum() == Approx(1));
    if (!found.on(head)) continue;
    ++on;
    weight += found.weights.row(head).transpose();
  }
  CHECK(on == 3);
  for (const Index key : {17, 250, 399}) CHECK(weight[key] > 0.95);
  CHECK(found.coefficients()[17] > 0.3);
  CHECK(found.coefficients()[250] < -0.2);
}

TEST_CASE("Two equal keys share a head's attention by halves, and no head is on for noise", "[single_effects]") {
  Matrix<double> columns = noise_columns(300, 6, 12);
  columns.col(1) = columns.col(0);
  columns.col(5) += columns.col(0);
  const EffectProblem twins = effect_problem(columns);
  const SingleEffects found = single_effects(WholeProducts(twins.products), twins.with_target, twins.log_prior, 300);
  CHECK(found.weights(0, 0) == Approx(0.5).margin(1e-6));
  CHECK(found.weights(0, 1) == Approx(0.5).margin(1e-6));

  int on = 0;
  for (std::uint64_t seed = 100; seed < 120; ++seed) {
    const EffectProblem none = effect_problem(noise_columns(300, 31, seed));
    const SingleEffects nothing = single_effects(WholeProducts(none.products), none.with_target, none.log_prior, 300);
    for (Index head = 0; head < nothing.weights.rows(); ++head) on += nothing.evidence[head] > 2 ? 1 : 0;
  }
  CHECK(on <= 2);  // evidence of e^2 by chance: less than one in e^2 each, and far less in fact
}

TEST_CASE("One head's weights are the exact posterior of a single effect", "[single_effects]") {
  Matrix<double> columns = noise_columns(60, 5, 13);
  columns.col(4) += 0.4 * columns.col(2);
  const EffectProblem problem = effect_problem(columns);
  SingleEffectSettings settings;
  settings.heads = 1;
  settings.sweeps = 200;
  settings.tolerance = 1e-12;
  const SingleEffects found =
      single_effects(WholeProducts(problem.products), problem.with_target, problem.log_prior, 60, settings);
  // at the fixed point: log(w_a / w_b) = 1/2 shrink (b_a^2 - b_b^2) n / s2, and shrink = effect / b
  const Vector<double> slope = problem.with_target / 60.0;
  const double shrink = found.effects(0, 2) / slope[2];
  const double expected = 0.5 * shrink * (slope[2] * slope[2] - slope[0] * slope[0]) * 60 / found.residual_variance;
  CHECK(std::log(found.weights(0, 2) / found.weights(0, 0)) == Approx(expected).epsilon(1e-6));
}

TEST_CASE("Single effects refuse shapes that do not fit", "[single_effects]") {
  const Matrix<double> products = Matrix<double>::Identity(3, 3);
  const Vector<double> three = Vector<double>::Zero(3), two = Vector<double>::Zero(2);
  CHECK_THROWS_AS(single_effects(WholeProducts(products), two, two, 10), ArgumentError);
  CHECK_THROWS_AS(single_effects(WholeProducts(products), three, three, 2), ArgumentError);
}

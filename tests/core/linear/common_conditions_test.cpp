#include "fovea/core/linear/common_conditions.hpp"

#include "fovea/tests/support/test.hpp"

namespace {

constexpr Index kConditionKeys = 14, kTargets = 3, kRows = 200;
constexpr double kFactorisedAlone = 1e-9;  // of a well-conditioned matrix

Matrix<double> keys_and_targets(std::uint64_t seed) {
  Matrix<double> columns(kRows, kConditionKeys + kTargets);
  const Random random(seed);
  for (Index t = 0; t < kRows; ++t)
    for (Index k = 0; k < columns.cols(); ++k)
      columns(t, k) = random.normal(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(t)) +
                      0.7 * random.normal(99, static_cast<std::uint64_t>(t));
  for (Index j = 0; j < kTargets; ++j) columns.col(kConditionKeys + j) += columns.col(2 * j) - columns.col(7 + j);
  columns.rowwise() -= columns.colwise().mean().eval();
  return columns.transpose() * columns;
}

void check_like_each_alone(const Matrix<double>& all, const std::vector<Index>& conditions) {
  const Matrix<double> block = all.topLeftCorner(kConditionKeys, kConditionKeys);
  const WholeProducts products(block);
  const CommonConditions common(products, conditions);
  for (Index j = kConditionKeys; j < kConditionKeys + kTargets; ++j) {
    const SparseTests found = common.test(all.col(j).head(kConditionKeys), all(j, j));
    const SparseTests alone =
        sparse_tests(products, all.col(j).head(kConditionKeys), all(j, j), kRows, conditions, 0.0);
    CHECK(found.chosen == alone.chosen);
    CHECK((found.correlations - alone.correlations).norm() < kFactorisedAlone);
    CHECK((found.coefficients - alone.coefficients).norm() < kFactorisedAlone);
    CHECK(found.residual_square == Approx(alone.residual_square).epsilon(kFactorisedAlone));
  }
}

}  // namespace

TEST_CASE("Tests given common conditions are those of each target alone", "[common_conditions]") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Matrix<double> all = keys_and_targets(seed);
    check_like_each_alone(all, {0, 2, 4, 6, 8, 10, 12});
    check_like_each_alone(all, {11});
    check_like_each_alone(all, {});
  }
}

TEST_CASE("Conditions that others determine, and constants, are left out for every target", "[common_conditions]") {
  Matrix<double> all = keys_and_targets(6);
  all.row(5) = all.row(3), all.col(5) = all.col(3), all(5, 5) = all(3, 3);
  all.row(9).setZero(), all.col(9).setZero();
  check_like_each_alone(all, {9, 3, 5, 8, 12});
  const Matrix<double> block = all.topLeftCorner(kConditionKeys, kConditionKeys);
  const WholeProducts products(block);
  const SparseTests tests = CommonConditions(products, {9, 3, 5}).test(Vector<double>::Zero(kConditionKeys), 0);
  CHECK(tests.chosen == std::vector<Index>{3});
  CHECK(tests.correlations.isZero(0));
}

TEST_CASE("Common conditions refuse a target with other keys", "[common_conditions]") {
  const Matrix<double> all = keys_and_targets(7);
  CHECK_THROWS_AS(CommonConditions(WholeProducts(all), {0}).test(Vector<double>::Zero(2), 1), ArgumentError);
}

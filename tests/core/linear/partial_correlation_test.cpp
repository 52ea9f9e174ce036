#include "fovea/core/linear/partial_correlation.hpp"

#include <Eigen/QR>

#include "fovea/tests/support/test.hpp"

namespace {

constexpr double kNormalEquations = 1e-11;  // normal equations of well-conditioned columns against orthogonal ones

Eigen::MatrixXd related_columns(Index rows, Index columns) {
  const Random random = Random(5).stream("related columns");
  Eigen::MatrixXd x(rows, columns);
  for (Index c = 0; c < columns; ++c) {
    for (Index r = 0; r < rows; ++r)
      x(r, c) = random.normal(static_cast<std::uint64_t>(c), static_cast<std::uint64_t>(r));
    if (c > 0) x.col(c) += 0.6 * x.col(c - 1);
  }
  x.rowwise() -= x.colwise().mean().eval();
  return x;
}

/// What least squares on the columns leaves of both, correlated.
double plain_partial_correlation(const Eigen::MatrixXd& x, Index a, Index b, const std::vector<Index>& given) {
  Eigen::VectorXd left_a = x.col(a), left_b = x.col(b);
  if (!given.empty()) {
    Eigen::MatrixXd z(x.rows(), static_cast<Index>(given.size()));
    for (std::size_t k = 0; k < given.size(); ++k) z.col(static_cast<Index>(k)) = x.col(given[k]);
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(z);
    left_a -= z * qr.solve(left_a);
    left_b -= z * qr.solve(left_b);
  }
  return left_a.dot(left_b) / (left_a.norm() * left_b.norm());
}

}  // namespace

TEST_CASE("partial correlations follow a set whose columns come and go", "[linear][lags][twin]") {
  const Eigen::MatrixXd x = related_columns(60, 14);
  const Matrix<double> products = x.transpose() * x;
  const Random random = Random(5).stream("coming and going");
  ConditioningSet set(products);
  std::vector<Index> plain;
  for (std::uint64_t turn = 0; turn < 300; ++turn) {
    const auto column = static_cast<Index>(random.below(12, 0, turn));  // 12 and 13 are asked about
    if (const auto at = std::find(plain.begin(), plain.end(), column); at != plain.end()) {
      plain.erase(at);
      set.leave(column);
    } else {
      plain.push_back(column);
      CHECK(set.join(column));
    }
    REQUIRE(set.size() == static_cast<Index>(plain.size()));
    CHECK(std::abs(set.partial_correlation(12, 13) - plain_partial_correlation(x, 12, 13, plain)) < kNormalEquations);
  }
  CHECK(partial_correlation(products, 12, 13, plain) ==
        Approx(plain_partial_correlation(x, 12, 13, plain)).margin(kNormalEquations));
}

TEST_CASE("constants, duplicates and sums among the conditions change nothing and give no NaN",
          "[linear][lags][property]") {
  Eigen::MatrixXd x = related_columns(60, 8);
  x.col(2) = 3 * x.col(0);
  x.col(3) = x.col(0) - x.col(1);
  x.col(4).setZero();
  const Matrix<double> products = x.transpose() * x;
  ConditioningSet set(products);
  CHECK(set.join(0));
  CHECK(set.join(1));
  CHECK_FALSE(set.join(2));
  CHECK_FALSE(set.join(3));
  CHECK_FALSE(set.join(4));
  CHECK(set.rank() == 2);
  CHECK(set.size() == 5);
  const double both = plain_partial_correlation(x, 6, 7, {0, 1});
  CHECK(std::abs(set.partial_correlation(6, 7) - both) < kNormalEquations);
  for (Index c = 0; c < 5; ++c) CHECK(set.partial_correlation(c, 7) == 0);
  set.leave(0);  // 2, or 3, steps in: what is conditioned on stays the same
  CHECK(set.rank() == 2);
  CHECK(std::abs(set.partial_correlation(6, 7) - both) < kNormalEquations);
  set.leave(2);
  set.leave(3);
  CHECK(set.rank() == 1);
  CHECK(std::abs(set.partial_correlation(6, 7) - plain_partial_correlation(x, 6, 7, {1})) < kNormalEquations);
  CHECK(std::abs(set.partial_correlation(0, 2)) == Approx(1).margin(kNormalEquations));
  CHECK_THROWS_AS(set.leave(0), ArgumentError);
  CHECK_THROWS_AS(set.join(1), ArgumentError);
  set.clear();
  CHECK(set.size() == 0);
}

TEST_CASE("too few rows say nothing, and a perfect correlation says all", "[linear][lags][limit]") {
  CHECK(test_correlation(0.9, 5, 3).p_value == 1);
  CHECK(test_correlation(1, 5, 0).p_value == 0);
  CHECK(test_correlation(-1, 5, 0).t < 0);
  const CorrelationTest test = test_correlation(0.5, 20, 2);
  CHECK(test.degrees == 16);
  CHECK(test.t == Approx(0.5 * 4 / std::sqrt(0.75)));
  CHECK(test_correlation(0, 20, 2).p_value == 1);
}

#include "fovea/tests/support/kinds/independent_series.hpp"

#include "fovea/tests/support/test.hpp"

namespace fovea {

namespace {

/// Correlation of column a at t - lag with column b at t.
double lagged_correlation(const Matrix<double>& x, Index a, Index b, Index lag) {
  const Index n = x.rows() - lag;
  const Vector<double> early = x.col(a).head(n).array() - x.col(a).head(n).mean();
  const Vector<double> late = x.col(b).tail(n).array() - x.col(b).tail(n).mean();
  return early.dot(late) / std::sqrt(early.squaredNorm() * late.squaredNorm());
}

}  // namespace

TEST_CASE("Independent series follow their own past and no other's", "[datasets][lag]") {
  const datasets::series::SeriesTable table = support::kinds::independent_series({3, 20000, 0.8, 0}, Random(5));
  constexpr double kFourErrors = 4 * 0.0151;  // Bartlett 1946: sqrt((1 + a^2) / (1 - a^2) / n)
  for (Index s = 0; s < 3; ++s) {
    CHECK(std::abs(lagged_correlation(table.values, s, s, 1) - 0.8) < 4 * 0.0042);
    for (Index other = 0; other < s; ++other)
      CHECK(std::abs(lagged_correlation(table.values, other, s, 1)) < kFourErrors);
  }
}

TEST_CASE("Shocks of three degrees of freedom have heavy tails, a series begins where it is stationary",
          "[datasets][lag]") {
  const auto share_beyond_four = [](int degrees) {
    const datasets::series::SeriesTable table = support::kinds::independent_series({1, 40000, 0, degrees}, Random(6));
    return static_cast<double>((table.values.array().abs() > 4).count()) / 40000;
  };
  CHECK(share_beyond_four(0) < 5e-4);                                             // normal: 6.3e-5
  CHECK(std::abs(share_beyond_four(3) - 0.0280) < 4 * std::sqrt(0.028 / 40000));  // P(|t_3| > 4) = .0280
  double first = 0;  // of the second moment, over many series: 1 / (1 - a^2) = 5.26 from the first step on
  const datasets::series::SeriesTable many = support::kinds::independent_series({2000, 1, 0.9, 0}, Random(7));
  first = many.values.squaredNorm() / 2000;
  CHECK(std::abs(first / 5.263 - 1) < 4 * std::sqrt(2.0 / 2000));
}

TEST_CASE("Plans of independent series that cannot be are refused", "[datasets][lag]") {
  CHECK_THROWS_AS(support::kinds::independent_series({0, 10, 0.5, 0}, Random(1)), ArgumentError);
  CHECK_THROWS_AS(support::kinds::independent_series({2, 10, 1.0, 0}, Random(1)), ArgumentError);
  CHECK_THROWS_AS(support::kinds::independent_series({2, 10, 0.5, -1}, Random(1)), ArgumentError);
}

}  // namespace fovea

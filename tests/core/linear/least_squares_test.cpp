#include "fovea/core/linear/least_squares.hpp"

#include <Eigen/QR>

#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/core/statistics/processes/autoregression.hpp"
#include "fovea/core/statistics/processes/cross_products.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

constexpr double kFit = 1e-10;  // normal equations of well-conditioned columns against orthogonal ones

Eigen::MatrixXd design(Index rows, Index columns) {
  const Random random = Random(8).stream("design");
  Eigen::MatrixXd x(rows, columns);
  for (Index c = 0; c < columns; ++c)
    for (Index r = 0; r < rows; ++r)
      x(r, c) =
          random.normal(static_cast<std::uint64_t>(c), static_cast<std::uint64_t>(r)) + (c > 0 ? 0.5 * x(r, c - 1) : 0);
  x.rowwise() -= x.colwise().mean().eval();
  return x;
}

}  // namespace

TEST_CASE("least squares from products are least squares, with their t and F", "[linear][lags][twin]") {
  Eigen::MatrixXd x = design(50, 8);
  x.col(3) = x.col(1) + x.col(2);  // has no test of its own
  const Matrix<double> products = x.transpose() * x;
  const std::vector<Index> regressors{0, 1, 2, 3, 4, 5};
  const LeastSquares equations(products, 50, regressors);
  CHECK(equations.rank() == 5);
  CHECK(equations.degrees() == 44);
  const LeastSquares::Fit fit = equations.fit(7);
  Eigen::MatrixXd z(50, 5);
  z << x.col(0), x.col(1), x.col(2), x.col(4), x.col(5);
  const auto rest = [&](const Eigen::MatrixXd& columns) {
    return (x.col(7) - columns * columns.colPivHouseholderQr().solve(x.col(7))).squaredNorm();
  };
  const Eigen::VectorXd b = z.colPivHouseholderQr().solve(x.col(7));
  CHECK(std::abs(fit.coefficients[4] - b[3]) < kFit);
  CHECK(fit.coefficients[3] == 0);
  CHECK(fit.residual == Approx(rest(z)).epsilon(kFit));
  Eigen::MatrixXd without(50, 4);
  without << x.col(0), x.col(1), x.col(2), x.col(5);
  const double t = std::sqrt((rest(without) - rest(z)) / (rest(z) / 44));
  CHECK(std::abs(equations.test(fit, 4).t) == Approx(t).epsilon(kFit));
  CHECK(equations.test(fit, 4).correlation * b[3] > 0);
  CHECK(equations.test(fit, 3).p_value == 1);
  Eigen::MatrixXd fewer(50, 3);
  fewer << x.col(0), x.col(1), x.col(2);
  const LeastSquares::GroupTest group = equations.test_group(fit, std::vector<Index>{3, 4, 5});
  CHECK(group.f == Approx((rest(fewer) - rest(z)) / 2 / (rest(z) / 44)).epsilon(kFit));
  CHECK(group.p_value == Approx(fisher_upper(group.f, 2, 44)));
  CHECK(equations.test_group(fit, std::vector<Index>{3}).p_value == 1);
  CHECK(LeastSquares(products, 6, regressors).test(fit, 0).p_value == 1);  // too few rows
}

TEST_CASE("autocorrelations have the bits of a plain sum, over gaps and short recordings too",
          "[statistics][lags][twin]") {
  const Random random = Random(10).stream("autocorrelations");
  const std::vector<long> starts{0, 1, 60, 64, 130};
  std::vector<double> x(200);
  for (const bool gaps : {false, true}) {
    for (std::size_t t = 0; t < x.size(); ++t) x[t] = gaps && t % 7 == 3 ? kNan : random.normal(t);
    double sum = 0, known = 0;
    for (const double value : x)
      if (!std::isnan(value)) sum += value, known += 1;
    std::vector<double> plain(100, 0.0);
    for (std::size_t lag = 0; lag < plain.size(); ++lag) {
      double pairs = 0, present = 0;
      for (std::size_t r = 0; r < starts.size(); ++r)
        for (std::size_t t = static_cast<std::size_t>(starts[r]) + lag;
             t < (r + 1 < starts.size() ? static_cast<std::size_t>(starts[r + 1]) : x.size()); ++t) {
          pairs += 1;
          if (std::isnan(x[t]) || std::isnan(x[t - lag])) continue;
          present += 1;
          plain[lag] += (x[t] - sum / known) * (x[t - lag] - sum / known);
        }
      if (present > 0) plain[lag] *= pairs / present;
    }
    for (std::size_t lag = 1; lag < plain.size(); ++lag) plain[lag] /= plain[0];
    plain[0] = 1;
    CHECK(autocorrelations(x, 99, starts) == plain);
  }
}

TEST_CASE("lagged products of several series by blocks are the sums but for rounding", "[statistics][lags][twin]") {
  constexpr double kRounding = 1e-13;  // of the sum of squares: about that of a sum of 3000
  const Random random = Random(13).stream("cross products");
  const std::vector<Index> starts{0, 1, 1700, 1703};
  Matrix<double> x(3001, 3);
  for (Index t = 0; t < x.rows(); ++t)
    for (Index i = 0; i < 3; ++i)
      x(t, i) =
          static_cast<double>(1 + i) + random.normal(static_cast<std::uint64_t>(t), static_cast<std::uint64_t>(i));
  for (const Index last : {0, 5, 100, 300}) {
    const std::vector<Matrix<double>> found = lagged_cross_products(x, starts, last);
    REQUIRE(std::ssize(found) == last + 1);
    for (Index lag = 0; lag <= last; lag += std::max<Index>(1, last / 5)) {
      Matrix<double> plain = Matrix<double>::Zero(3, 3);
      for (std::size_t r = 0; r < starts.size(); ++r)
        for (Index t = starts[r] + lag; t < (r + 1 < starts.size() ? starts[r + 1] : x.rows()); ++t)
          plain += x.row(t).transpose() * x.row(t - lag);
      CHECK((found[static_cast<std::size_t>(lag)] - plain).cwiseAbs().maxCoeff() < kRounding * x.squaredNorm());
    }
  }
}

TEST_CASE("autocorrelations of long series, which a transform makes, are the sums but for rounding",
          "[statistics][lags][twin]") {
  constexpr double kRounding = 1e-13;  // of a correlation: about that of a sum of 5000
  const Random random = Random(12).stream("autocorrelations");
  const std::vector<long> starts{0, 1, 1700, 1703};
  std::vector<double> x(5001);
  for (const bool gaps : {false, true}) {
    for (std::size_t t = 0; t < x.size(); ++t) x[t] = gaps && t % 11 == 3 ? kNan : 50 + random.normal(t);
    const std::vector<double> found = autocorrelations(x, 1000, starts);
    REQUIRE(found.size() == 1001);
    double sum = 0, known = 0;
    for (const double value : x)
      if (!std::isnan(value)) sum += value, known += 1;
    std::vector<double> plain(1001, 0.0);
    for (const std::size_t lag : {0, 1, 2, 3, 511, 512, 999, 1000}) {
      double pairs = 0, present = 0;
      for (std::size_t r = 0; r < starts.size(); ++r)
        for (std::size_t t = static_cast<std::size_t>(starts[r]) + lag;
             t < (r + 1 < starts.size() ? static_cast<std::size_t>(starts[r + 1]) : x.size()); ++t) {
          pairs += 1;
          if (std::isnan(x[t]) || std::isnan(x[t - lag])) continue;
          present += 1;
          plain[lag] += (x[t] - sum / known) * (x[t - lag] - sum / known);
        }
      plain[lag] *= pairs / present;
      CHECK(std::abs(found[lag] - plain[lag] / plain[0]) < kRounding);
    }
  }
}

TEST_CASE("Levinson's recursion solves the Yule-Walker equations of every order", "[statistics][lags][twin]") {
  const Random random = Random(9).stream("autoregression");
  std::vector<double> x(600, 0.0);
  for (std::size_t t = 2; t < x.size(); ++t) x[t] = 0.6 * x[t - 1] - 0.3 * x[t - 2] + random.normal(t);
  const std::vector<double> rho = autocorrelations(x, 6);
  const std::vector<Autoregression> fits = autoregressions(rho);
  REQUIRE(fits.size() == 7);
  for (Index order = 1; order <= 6; ++order) {
    Eigen::MatrixXd toeplitz(order, order);
    Eigen::VectorXd right(order);
    for (Index a = 0; a < order; ++a) {
      right[a] = rho[a + 1];
      for (Index b = 0; b < order; ++b) toeplitz(a, b) = rho[std::abs(a - b)];
    }
    const Eigen::VectorXd wanted = toeplitz.colPivHouseholderQr().solve(right);
    const Autoregression& fit = fits[order];
    for (Index k = 0; k < order; ++k) CHECK(std::abs(fit.coefficients[k] - wanted[k]) < kFit);
    CHECK(fit.variance == Approx(1 - wanted.dot(right)).epsilon(kFit));
  }
  CHECK(best_by_aic(fits, 600).coefficients.size() == 2);
  std::vector<double> gaps = x;
  for (std::size_t t = 5; t < gaps.size(); t += 10) gaps[t] = kNan;
  CHECK(std::abs(autocorrelations(gaps, 1)[1] - rho[1]) <
        0.05);  // a tenth of the pairs is missing, one in 25 changes it
  CHECK(autocorrelations(std::vector<double>(9, 3.0), 2)[1] == 0);
}

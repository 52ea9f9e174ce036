#include "fovea/core/statistics/tests/score_test.hpp"

#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

/// rows x columns of standard normal numbers.
Eigen::MatrixXd normals(std::uint64_t seed, Index rows, Index columns) {
  const Random random(seed);
  Eigen::MatrixXd x(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index c = 0; c < columns; ++c)
      x(i, c) = random.normal(static_cast<std::uint64_t>(c), static_cast<std::uint64_t>(i));
  return x;
}

}  // namespace

TEST_CASE("orthonormal columns leave out what depends on earlier ones", "[score_test]") {
  Eigen::MatrixXd x = normals(1, 50, 4);
  x.col(2) = 3 * x.col(0) - x.col(1) + Eigen::VectorXd::Constant(50, 7);
  const OrthonormalColumns columns(x);
  CHECK(columns.kept == std::vector<Index>{0, 1, 3});
  CHECK((columns.q.transpose() * columns.q - Eigen::MatrixXd::Identity(3, 3)).norm() < 1e-12);
  for (std::size_t k = 0; k < 3; ++k) {
    const Eigen::VectorXd column = x.col(columns.kept[k]).array() - x.col(columns.kept[k]).mean();
    CHECK((columns.q * columns.r.col(static_cast<Index>(k)) - column).norm() < 1e-12);
  }
}

TEST_CASE("the score test is that of White with HC2", "[score_test]") {
  // numpy: x = (0, 1, 2, 3, 4, 5), y = (0, 1, 1, 3, 2, 6), z = x^2, by the formula in the header
  Eigen::MatrixXd x(6, 1), z(6, 1);
  Eigen::VectorXd y(6);
  x << 0, 1, 2, 3, 4, 5;
  y << 0, 1, 1, 3, 2, 6;
  z = x.cwiseAbs2();
  const ScoreTest regression(x, y);
  CHECK(regression.test(z)[0] == Approx(1.02970944885).epsilon(1e-9));
  CHECK(regression.variance() == Approx(4.0 / 3).epsilon(1e-9));
  CHECK(regression.test(2 * x.array() + 1)[0] == 0);  // nothing of it is left
}

TEST_CASE("the score test keeps its level where variances grow with the regressor", "[score_test]") {
  int rejected = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Eigen::MatrixXd drawn = normals(100 + seed, 200, 2);
    const Eigen::VectorXd x = drawn.col(0), y = x + drawn.col(1).cwiseProduct(x.cwiseAbs2());
    rejected += normal_two_sided(ScoreTest(x, y).test(x.array().cube().matrix())[0]) < 0.05 ? 1 : 0;
  }
  CHECK(rejected <= 32);  // 20 wanted, and 2.8 standard errors
  const Eigen::MatrixXd drawn = normals(77, 200, 2);
  const Eigen::VectorXd x = drawn.col(0), y = x + 0.5 * x.cwiseAbs2() + drawn.col(1);
  CHECK(ScoreTest(x, y).test(x.cwiseAbs2())[0] > 4);
}

TEST_CASE("the criterion chooses as many columns as do something", "[score_test]") {
  const Eigen::MatrixXd x = normals(5, 300, 5);
  const Eigen::VectorXd y = x.col(0) + 0.5 * x.col(2) + normals(6, 300, 1).col(0);
  const ScoreTest regression(x, y);
  Index best = 0;
  for (Index k = 1; k <= 5; ++k)
    if (regression.criterion(k) < regression.criterion(best)) best = k;
  CHECK(best == 3);
}

TEST_CASE("noise on a regressor is seen by what an instrument forecasts of it", "[score_test]") {
  const Index rows = 4000;
  const Eigen::MatrixXd drawn = normals(9, rows, 4);
  const Eigen::VectorXd instrument = drawn.col(0), value = instrument + 0.7 * drawn.col(1);
  const Eigen::VectorXd y = value + drawn.col(2);
  const auto noise_of = [&](double deviation) {
    const Eigen::VectorXd measured = value + deviation * drawn.col(3);
    const double spread = std::sqrt((measured.array() - measured.mean()).square().mean());
    const ScoreTest regression(measured / spread, y);
    const Eigen::VectorXd w = regression.attenuation(OrthonormalColumns(instrument), {1});
    const double over_rest = regression.residuals().dot(w) / w.squaredNorm();
    return over_rest / (1 + over_rest);
  };
  CHECK(std::abs(noise_of(0)) < 0.03);
  CHECK(noise_of(0.7) > noise_of(0.35));
  CHECK(noise_of(0.7) == Approx(0.39).margin(0.05));  // .49 / (1.49 + .49) were right: the order of the size
}

TEST_CASE("a column that few rows carry is not tested where so many are asked for", "[score_test]") {
  const Eigen::MatrixXd x = normals(8, 300, 1);
  Eigen::MatrixXd rare = Eigen::MatrixXd::Zero(300, 1);
  for (Index row = 0; row < 300; row += 50) rare(row, 0) = 3;  // 6 rows
  const ScoreTest regression(x, x.col(0) + 5 * rare.col(0) + normals(9, 300, 1).col(0));
  CHECK(regression.test(rare)[0] > 2);
  CHECK(regression.test(rare, 15)[0] == 0);
  CHECK(regression.test(x.cwiseAbs2(), 15)[0] != 0);
}

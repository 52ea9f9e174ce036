#include "fovea/core/linear/scaled_regression.hpp"

#include "fovea/tests/support/test.hpp"

TEST_CASE("columns are scaled by the past about their mean or median and clipped", "[linear]") {
  Matrix<double> columns(6, 2);
  columns << 1, 7, 2, 7, 3, 7, 10, 7, 99, 99, -99, 0;
  const std::vector<Index> rows{0, 1, 2, 3};
  const ColumnScale mean = column_scale(columns, rows, Middle::mean, 0),
                    median = column_scale(columns, rows, Middle::median, 2);
  CHECK((mean.middle[0] == 4 && median.middle[0] == 2.5));
  const double deviation = std::sqrt((9 + 4 + 1 + 36) / 4.0);
  CHECK(std::abs(mean.scaled(columns.row(4).transpose())[0] - 95 / deviation) < 1e-12);
  CHECK(median.scaled(columns.row(4).transpose()) == (Vector<double>(2) << 2, 0).finished());
  CHECK(median.scaled(columns.row(5).transpose()) == (Vector<double>(2) << -2, 0).finished());
}

TEST_CASE("a probit finds the coefficient that drew the labels, and a penalty shrinks it", "[linear]") {
  const Random random = Random(5).stream("spread");
  Matrix<double> spread(4000, 1);
  std::vector<double> labels(4000);
  std::vector<Index> rows(4000);
  for (Index t = 0; t < 4000; ++t) {
    rows[t] = t;
    spread(t, 0) = 1 + 2 * random.normal(t);
    labels[t] = random.uniform(t, 1) < binary_probability(BinaryLink::probit, -0.6 - 0.4 * spread(t, 0)) ? 1 : 0;
  }
  const ScaledRegression free = fit_scaled_regression(spread, labels, rows, {.link = BinaryLink::probit, .penalty = 0});
  CHECK(std::abs(free.coefficients[0] / free.scale.deviation[0] + 0.4) < 0.05);  // about four standard errors
  CHECK(std::abs(free.linear(Vector<double>::Zero(1)) + 0.6) < 0.12);
  const ScaledRegression held =
      fit_scaled_regression(spread, labels, rows, {.link = BinaryLink::probit, .penalty = 1000});
  CHECK(std::abs(held.coefficients[0]) < 0.8 * std::abs(free.coefficients[0]));
}

TEST_CASE("a scaled regression without two outcomes has no coefficients, and a value that is missing is the middle",
          "[linear]") {
  Matrix<double> rows(6, 2);
  rows << 1, 5, 2, 5, 3, 5, 4, 5, 5, 5, kNan, 5;
  const std::vector<Index> all{0, 1, 2, 3, 4, 5};
  const ScaledRegressionSettings settings{.middle = Middle::median, .clip = 3};
  CHECK(fit_scaled_regression(rows, std::vector<double>(6, 0.0), all, settings).coefficients.size() == 0);
  const ScaledRegression constant = fit_scaled_regression(rows, std::vector<double>{0, 0, 1, 1, 1, 0}, all, settings);
  CHECK((constant.scale.deviation[1] == 0 && std::abs(constant.coefficients[1]) < 1e-12));
  CHECK((constant.scale.middle[0] == 3 && constant.coefficients[0] > 0));
  CHECK(constant.linear(rows.row(5).transpose()) == constant.linear(rows.row(2).transpose()));
}

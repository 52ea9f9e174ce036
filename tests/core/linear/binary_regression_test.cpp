#include "fovea/core/linear/binary_regression.hpp"

#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

/// A table with an intercept last, and outcomes drawn by a link.
struct BinaryTable {
  Matrix<double> columns;
  std::vector<double> outcomes;
};

BinaryTable drawn_table(BinaryLink link, Index rows, const Vector<double>& b, std::uint64_t seed) {
  const Random random = Random(seed).stream("binary");
  BinaryTable table{Matrix<double>::Ones(rows, b.size()), {}};
  for (Index i = 0; i < rows; ++i) {
    for (Index c = 0; c + 1 < b.size(); ++c) table.columns(i, c) = random.normal(i, c);
    const double p = binary_probability(link, table.columns.row(i).dot(b));
    table.outcomes.push_back(random.uniform(i, 99) < p ? 1 : 0);
  }
  return table;
}

/// The largest slope of the loss at a fit, by its definition.
double steepest(const BinaryTable& table, const BinaryRegressionSettings& settings, const Vector<double>& b) {
  Vector<double> slope = settings.penalties.size() > 0 ? Vector<double>(settings.penalties.cwiseProduct(b))
                                                       : Vector<double>(Vector<double>::Zero(b.size()));
  for (Index i = 0; i < table.columns.rows(); ++i) {
    const double s = table.columns.row(i).dot(b), y = table.outcomes[i], p = binary_probability(settings.link, s);
    const double density = std::exp(-s * s / 2) / std::sqrt(2 * 3.14159265358979323846);
    const double by_s = settings.link == BinaryLink::logit ? y - p : density * (y - p) / (p * (1 - p));
    slope -= (settings.weights.size() > 0 ? settings.weights[i] : 1) * by_s * table.columns.row(i).transpose();
  }
  return slope.cwiseAbs().maxCoeff();
}

/// a of n at x = 0 and b of m at x = 1.
BinaryTable two_by_two(int a, int n, int b, int m) {
  BinaryTable table{Matrix<double>::Ones(n + m, 2), {}};
  for (int i = 0; i < n + m; ++i) {
    table.columns(i, 0) = i < n ? 0 : 1;
    table.outcomes.push_back(i < n ? i < a : i - n < b);
  }
  return table;
}

}  // namespace

TEST_CASE("logistic regression of a two by two table is the odds ratio with Woolf's error", "[linear][binary]") {
  const BinaryTable table = two_by_two(3, 10, 12, 20);
  const BinaryRegression fit = fit_binary_regression(table.columns, table.outcomes);
  CHECK(fit.minimum);
  CHECK(std::abs(fit.coefficients[1] - std::log(3.0 / 7)) < 1e-14);
  CHECK(std::abs(fit.coefficients[0] - (std::log(12.0 / 8) - std::log(3.0 / 7))) < 1e-14);
  const double log_likelihood = 3 * std::log(.3) + 7 * std::log(.7) + 12 * std::log(.6) + 8 * std::log(.4);
  CHECK(std::abs(fit.log_likelihood - log_likelihood) < 1e-12);
  const Matrix<double> covariance = binary_covariance(table.columns, table.outcomes, fit.coefficients);
  CHECK(std::abs(covariance(0, 0) - (1.0 / 3 + 1.0 / 7 + 1.0 / 12 + 1.0 / 8)) < 1e-13);
}

TEST_CASE("probit regression of a two by two table is the distance of the quantiles", "[linear][binary]") {
  const BinaryTable table = two_by_two(3, 10, 12, 20);
  const BinaryRegression fit = fit_binary_regression(table.columns, table.outcomes, {.link = BinaryLink::probit});
  CHECK(fit.minimum);
  CHECK(std::abs(fit.coefficients[1] - normal_quantile(.3)) < 1e-14);
  CHECK(std::abs(fit.coefficients[0] - (normal_quantile(.6) - normal_quantile(.3))) < 1e-14);
}

TEST_CASE("at the minimum the loss has no slope, whatever the link, the weights and the penalty", "[linear][binary]") {
  const Vector<double> truth = (Vector<double>(4) << 1, -2, 0, -1.5).finished();
  for (const BinaryLink link : {BinaryLink::logit, BinaryLink::probit}) {
    const BinaryTable table = drawn_table(link, 400, truth, 5);
    Vector<double> weights(400);
    for (Index i = 0; i < 400; ++i) weights[i] = static_cast<double>(i % 4) / 2;
    const Vector<double> penalties = (Vector<double>(4) << 3, 0.5, 10, 0).finished();
    for (const BinaryRegressionSettings& settings :
         {BinaryRegressionSettings{link}, BinaryRegressionSettings{link, penalties},
          BinaryRegressionSettings{link, penalties, weights, Vector<double>(truth * 5)}}) {
      const BinaryRegression fit = fit_binary_regression(table.columns, table.outcomes, settings);
      CHECK(fit.minimum);
      CHECK(steepest(table, settings, fit.coefficients) < 1e-11);
    }
  }
}

TEST_CASE("the coefficients that drew the outcomes are found within their errors", "[linear][binary]") {
  const Vector<double> truth = (Vector<double>(3) << .8, -.5, -1).finished();
  for (const BinaryLink link : {BinaryLink::logit, BinaryLink::probit}) {
    const BinaryTable table = drawn_table(link, 20000, truth, 7);
    const BinaryRegressionSettings settings{link};
    const Vector<double> b = fit_binary_regression(table.columns, table.outcomes, settings).coefficients;
    const Matrix<double> covariance = binary_covariance(table.columns, table.outcomes, b, settings);
    for (Index c = 0; c < 3; ++c) {
      CHECK(std::sqrt(covariance(c, c)) < 0.03);
      CHECK(std::abs(b[c] - truth[c]) < 4 * std::sqrt(covariance(c, c)));
    }
  }
}

TEST_CASE("a weight is so many rows, and 0 is none", "[linear][binary]") {
  const BinaryTable table = drawn_table(BinaryLink::logit, 60, Vector<double>::Constant(2, .5), 9);
  Vector<double> weights(60);
  BinaryTable copies{Matrix<double>(0, 2), {}};
  for (Index i = 0; i < 60; ++i) {
    weights[i] = static_cast<double>(i % 3);
    for (Index k = 0; k < i % 3; ++k) {
      copies.columns.conservativeResize(copies.columns.rows() + 1, 2);
      copies.columns.bottomRows(1) = table.columns.row(i);
      copies.outcomes.push_back(table.outcomes[i]);
    }
  }
  for (const BinaryLink link : {BinaryLink::logit, BinaryLink::probit}) {
    const auto weighted = fit_binary_regression(table.columns, table.outcomes, {.link = link, .weights = weights});
    const auto copied = fit_binary_regression(copies.columns, copies.outcomes, {.link = link});
    CHECK((weighted.coefficients - copied.coefficients).cwiseAbs().maxCoeff() < 1e-13);
    CHECK(std::abs(weighted.log_likelihood - copied.log_likelihood) < 1e-12);
  }
}

TEST_CASE("where columns part the outcomes or depend on each other no minimum is claimed, with a penalty there is one",
          "[linear][binary][limit]") {
  Matrix<double> columns(6, 2);
  columns << -2, 1, -1, 1, 0, 1, 0, 1, 1, 1, 2, 1;
  const std::vector<double> parted{0, 0, 0, 1, 1, 1}, ones(6, 1.0), mixed{0, 1, 0, 1, 0, 1};
  Matrix<double> twice(6, 3);
  twice << columns, 2 * columns.col(0);
  for (const BinaryLink link : {BinaryLink::logit, BinaryLink::probit}) {
    const BinaryRegressionSettings free{link}, held{link, Vector<double>::Constant(2, 1e-3)};
    CHECK_FALSE(fit_binary_regression(columns, parted, free).minimum);
    CHECK_FALSE(fit_binary_regression(columns, ones, free).minimum);
    CHECK(fit_binary_regression(columns, mixed, free).minimum);
    CHECK_FALSE(fit_binary_regression(twice, mixed, free).minimum);
    for (const std::vector<double>& outcomes : {parted, ones, mixed}) {
      const BinaryRegression fit = fit_binary_regression(columns, outcomes, held);
      CHECK(fit.minimum);
      CHECK(steepest({columns, outcomes}, held, fit.coefficients) < 1e-11);
    }
  }
}

TEST_CASE("a probit keeps its digits far out", "[linear][binary][limit]") {
  const Matrix<double> columns = Matrix<double>::Ones(2, 1);
  const std::vector<double> outcomes{1, 0};
  for (const double odds : {1e-3, 1e-12, 1e-20}) {  // the last is at -9.26
    const auto fit = fit_binary_regression(
        columns, outcomes, {.link = BinaryLink::probit, .weights = (Vector<double>(2) << odds, 1).finished()});
    CHECK(fit.minimum);
    CHECK(std::abs(fit.coefficients[0] / normal_quantile(odds / (1 + odds)) - 1) < 1e-14);
  }
  const auto back =  // from where Phi is below what a double holds
      fit_binary_regression(columns, outcomes, {.link = BinaryLink::probit, .start = Vector<double>::Constant(1, -45)});
  CHECK((back.minimum && std::abs(back.coefficients[0]) < 1e-14));
}

TEST_CASE("a search that began where all probabilities are 0 or 1 begins again", "[linear][binary][limit]") {
  const BinaryTable table = two_by_two(3, 10, 12, 20);
  for (const BinaryLink link : {BinaryLink::logit, BinaryLink::probit}) {
    const auto near = fit_binary_regression(table.columns, table.outcomes, {.link = link});
    const auto far =
        fit_binary_regression(table.columns, table.outcomes, {.link = link, .start = Vector<double>::Constant(2, 1e6)});
    CHECK(far.minimum);
    CHECK((far.coefficients - near.coefficients).cwiseAbs().maxCoeff() < 1e-13);
  }
}

TEST_CASE("binary regression refuses shapes and values that it cannot use", "[linear][binary][errors]") {
  const Matrix<double> columns = Matrix<double>::Ones(3, 1);
  const std::vector<double> outcomes{0, 1, 1};
  CHECK_THROWS_WITH(fit_binary_regression(columns, std::vector<double>{0, 1}),
                    "fit_binary_regression: the columns are 3 x 1 for 2 outcomes; each row needs one, and at least one "
                    "row and one column are needed.");
  CHECK_THROWS_WITH(fit_binary_regression(columns, std::vector<double>{0, 1, .5}),
                    "fit_binary_regression: an outcome is 0.5, but must be 0 or 1.");
  CHECK_THROWS_WITH(fit_binary_regression(columns * NAN, outcomes),
                    "fit_binary_regression: a value of the columns is not finite; leave out its row.");
  CHECK_THROWS_WITH(fit_binary_regression(columns, outcomes, {.weights = Vector<double>::Ones(2)}),
                    "fit_binary_regression: there are 2 weights for 3 rows; as many are needed, or none.");
  CHECK_THROWS_WITH(fit_binary_regression(columns, outcomes, {.penalties = -Vector<double>::Ones(1)}),
                    "fit_binary_regression: among the penalties is -1; each must be finite and at least 0.");
  CHECK_THROWS_WITH(fit_binary_regression(columns, outcomes, {.start = Vector<double>::Constant(1, NAN)}),
                    "fit_binary_regression: among the coefficients to start from is nan; each must be finite.");
}

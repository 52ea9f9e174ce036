#include "fovea/core/statistics/calibration.hpp"

#include "fovea/core/statistics/isotonic.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

/// Logits that are `temperature` times too large for the classes that are drawn from them.
struct LogitSample {
  Matrix<double> logits;
  std::vector<Index> classes;
};

LogitSample overconfident(Index count, Index columns, double temperature) {
  const Random random = Random(21).stream("logits");
  LogitSample sample{Matrix<double>(count, columns), {}};
  for (Index i = 0; i < count; ++i) {
    const auto row = static_cast<std::uint64_t>(i);
    for (Index c = 0; c < columns; ++c) sample.logits(i, c) = 1.5 * random.normal(row, static_cast<std::uint64_t>(c));
    std::vector<double> weights;
    if (columns == 1) weights.push_back(1);
    for (Index c = 0; c < columns; ++c) weights.push_back(std::exp(sample.logits(i, c)));
    double sum = 0, place = random.uniform(row, 99);
    for (const double w : weights) sum += w;
    Index drawn = 0;
    while (drawn + 1 < static_cast<Index>(weights.size()) && (place -= weights[drawn] / sum) > 0) ++drawn;
    sample.classes.push_back(drawn);
  }
  sample.logits *= temperature;
  return sample;
}

/// The definition, term by term.
double plain_loss(const LogitSample& sample, double temperature) {
  double loss = 0;
  for (Index i = 0; i < sample.logits.rows(); ++i) {
    double sum = 0;
    for (Index c = 0; c < sample.logits.cols(); ++c) sum += std::exp(sample.logits(i, c) / temperature);
    loss += std::log(sum) - sample.logits(i, sample.classes[i]) / temperature;
  }
  return loss / static_cast<double>(sample.logits.rows());
}

/// The place of the minimum by golden section in log T.
double plain_best_temperature(const LogitSample& sample) {
  double low = std::log(1e-2), high = std::log(1e2);
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  while (high - low > 1e-9) {
    const double a = high - ratio * (high - low), b = low + ratio * (high - low);
    (plain_loss(sample, std::exp(a)) < plain_loss(sample, std::exp(b)) ? high : low) =
        plain_loss(sample, std::exp(a)) < plain_loss(sample, std::exp(b)) ? b : a;
  }
  return std::exp((low + high) / 2);
}

/// max over a <= i of min over b >= i of the weighted mean of a ... b (Barlow, Bartholomew, Bremner, Brunk 1972).
double minimax_fit(const std::vector<double>& values, const std::vector<double>& weights, std::size_t i) {
  double best = -INFINITY;
  for (std::size_t a = 0; a <= i; ++a) {
    double least = INFINITY, sum = 0, weight = 0;
    for (std::size_t b = a; b < values.size(); ++b) {
      sum += weights[b] * values[b];
      weight += weights[b];
      if (b >= i) least = std::min(least, sum / weight);
    }
    best = std::max(best, least);
  }
  return best;
}

}  // namespace

TEST_CASE("the fitted temperature is the one that a search finds", "[statistics][calibration][twin]") {
  constexpr double kGoldenSection = 1e-6;  // a minimum is found to the root of the rounding error of the loss
  for (const double temperature : {0.2, 1.0, 3.0}) {
    const LogitSample sample = overconfident(500, 4, temperature);
    const TemperatureFit fit = fit_temperature(sample.logits, sample.classes);
    CHECK(std::abs(fit.temperature / plain_best_temperature(sample) - 1) < kGoldenSection);
    CHECK(std::abs(fit.loss_before - plain_loss(sample, 1)) < 1e-12);
    CHECK(std::abs(fit.loss_after - plain_loss(sample, fit.temperature)) < 1e-12);
  }
}

TEST_CASE("temperature scaling finds how much too sure a model is", "[statistics][calibration]") {
  // 20000 examples: the standard error of log T is about 0.01 here; 5 of them.
  const LogitSample sample = overconfident(20000, 3, 2.5);
  CHECK(std::abs(std::log(fit_temperature(sample.logits, sample.classes).temperature / 2.5)) < 0.05);
}

TEST_CASE("examples that are all classified right vouch for as much as their number", "[statistics][calibration]") {
  for (const Index each : {4, 40, 400}) {
    Matrix<double> logits(2 * each, 1);
    std::vector<Index> classes;
    for (Index i = 0; i < 2 * each; ++i) classes.push_back(i % 2), logits(i, 0) = i % 2 == 0 ? -0.5 : 0.5;
    const double aim = static_cast<double>(each + 1) / static_cast<double>(each + 2);
    const double temperature = fit_temperature(logits, classes).temperature;
    CHECK(std::abs(class_probabilities(logits, temperature)(1, 0) - aim) < 1e-9);
    logits(0, 0) = 0.5;  // one error: the likelihood has a maximum, where as many are right as are expected
    const double now = fit_temperature(logits, classes).temperature;
    CHECK(std::abs(class_probabilities(logits, now)(1, 0) - (1 - 0.5 / static_cast<double>(each))) < 1e-9);
  }
}

TEST_CASE("one column of logits is two columns of which the first is 0", "[statistics][calibration]") {
  const LogitSample one = overconfident(400, 1, 2.0);
  LogitSample two{Matrix<double>::Zero(400, 2), one.classes};
  two.logits.col(1) = one.logits.col(0);
  const double temperature = fit_temperature(one.logits, one.classes).temperature;
  CHECK(temperature == fit_temperature(two.logits, two.classes).temperature);
  CHECK(class_probabilities(one.logits, temperature).col(0) == class_probabilities(two.logits, temperature).col(1));
  CHECK(std::abs(class_probabilities(one.logits)(3, 0) - 1 / (1 + std::exp(-one.logits(3, 0)))) < 1e-15);
}

TEST_CASE("a temperature has ends where the likelihood has none", "[statistics][calibration][limit]") {
  const Matrix<double> logits{{1, 0}, {0, 1}};
  // One example of each of two classes: aimed at with 2 / 3, so 1 / T = log 2.
  const TemperatureFit right = fit_temperature(logits, std::vector<Index>{0, 1});
  CHECK(std::abs(1 / right.temperature - std::log(2.0)) < 1e-9);
  CHECK(std::abs(right.loss_after - std::log(1.5)) < 1e-9);
  CHECK(std::abs(fit_temperature(logits, std::vector<Index>{1, 0}).temperature - 1e3) < 1e-9);
  const Matrix<double> flat = Matrix<double>::Zero(2, 2);
  CHECK(fit_temperature(flat, std::vector<Index>{1, 0}).temperature == 1);
  CHECK_THROWS_WITH(fit_temperature(logits, std::vector<Index>{0, 2}),
                    "fit_temperature: a class is 2, but must be in [0, 2).");
  CHECK_THROWS_AS(fit_temperature(logits, std::vector<Index>{0}), ArgumentError);
  CHECK_THROWS_AS(class_probabilities(logits, 0), ArgumentError);
}

TEST_CASE("calibration errors of a small sample are those worked out by hand", "[statistics][calibration]") {
  const std::vector<double> p{0.1, 0.3, 0.6, 0.9, 1.0};
  const std::vector<Index> y{0, 1, 0, 1, 1};
  // bins [0, 0.5): mean 0.2, observed 0.5; [0.5, 1]: mean 2.5 / 3, observed 2 / 3
  CHECK(std::abs(expected_calibration_error(p, y, 2) - (0.4 * 0.3 + 0.6 * (2.5 / 3 - 2.0 / 3))) < 1e-15);
  CHECK(std::abs(brier_score(p, y) - (0.01 + 0.49 + 0.36 + 0.01) / 5) < 1e-15);
  const auto curve = reliability_curve(p, y, 5);
  CHECK(curve[0].count == 1);
  CHECK(curve[1].count == 1);
  CHECK(curve[2].count == 0);
  CHECK(std::isnan(curve[2].observed));
  CHECK(curve[4].count == 2);
  CHECK(curve[4].high == 1.0);
  CHECK_THROWS_AS(brier_score(p, std::vector<Index>{0, 1, 0, 1, 2}), ArgumentError);
  CHECK_THROWS_AS(brier_score(std::vector<double>{1.1}, std::vector<Index>{1}), ArgumentError);
}

TEST_CASE("true probabilities are calibrated, and temperature scaling gives them back", "[statistics][calibration]") {
  // 20000 examples in 15 bins: an error of about sqrt(2 / pi) sqrt(0.25 x 15 / 20000) = 0.011 at most by chance.
  const LogitSample sample = overconfident(20000, 1, 3.0);
  const auto error = [&](double temperature) {
    const Matrix<double> p = class_probabilities(sample.logits, temperature);
    return expected_calibration_error({p.data(), static_cast<std::size_t>(p.size())}, sample.classes);
  };
  CHECK(error(3.0) < 0.015);
  CHECK(error(fit_temperature(sample.logits, sample.classes).temperature) < 0.015);
  CHECK(error(1.0) > 0.05);
}

TEST_CASE("pooling adjacent violators gives the minimax formula", "[statistics][calibration][twin]") {
  const Random random = Random(4).stream("isotonic");
  for (std::uint64_t trial = 0; trial < 50; ++trial) {
    std::vector<double> values, weights;
    for (std::uint64_t k = 0; k < 1 + trial % 20; ++k) {
      values.push_back(0.2 * static_cast<double>(k) + random.normal(k, 2 * trial));
      weights.push_back(0.1 + random.uniform(k, 2 * trial + 1));
    }
    const std::vector<double> fit = isotonic_fit(values, weights);
    for (std::size_t i = 0; i < values.size(); ++i)
      CHECK(std::abs(fit[i] - minimax_fit(values, weights, i)) < 1e-13);  // sums of 20 terms of about 1
    CHECK(std::is_sorted(fit.begin(), fit.end()));
  }
  CHECK(isotonic_fit({}).empty());
  CHECK_THROWS_AS(isotonic_fit(std::vector<double>{1, 2}, std::vector<double>{1, 0}), ArgumentError);
}

/// The pieces of mathematics behind the statements, against formulas and routes that are not theirs.

#include "fovea/datasets/series/nile.hpp"
#include "fovea/domains/mechanism/pooled.hpp"
#include "fovea/domains/mechanism/tasks/entropy_maximiser.hpp"
#include "fovea/domains/mechanism/tasks/smoothing.hpp"
#include "fovea/domains/mechanism/tasks/softmax_theory.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::mechanism;

namespace {

Vector<double> vector_of(std::vector<double> numbers) {
  return Eigen::Map<const Vector<double>>(numbers.data(), static_cast<Index>(numbers.size()));
}

/// exp(s) / sum exp(s) with the standard library.
Vector<double> library_softmax(const Vector<double>& scores) {
  const Vector<double> weights = scores.array().exp();
  return weights / weights.sum();
}

}  // namespace

TEST_CASE("the entropy of unit scores is that of many drawn ones", "[mechanism][statistics]") {
  // 2000 rows of 256: the mean's standard error is 0.08 / sqrt(2000) = 0.002; the next term is of order 10 / M^2
  const tasks::Sharpness drawn = tasks::sharpness_of_normal_scores(1.0, 256, 2000, Random(3));
  CHECK(std::abs(drawn.entropy - tasks::entropy_of_unit_scores(256)) < 0.008);
  CHECK(std::abs(tasks::entropy_of_unit_scores(256) - (std::log(256.0) - 0.5 + (std::exp(1.0) + 1) / 512)) < 1e-14);
}

TEST_CASE("the frozen entropy is a difference of digammas, and that of frozen scores", "[mechanism][statistics]") {
  // psi(1) - psi(1/2) = 2 ln 2; psi(1) - psi(3/4) by Gauss: pi/2 ... - 3 ln 2, sign by reflection
  constexpr double kPi = 3.14159265358979323846;
  CHECK(std::abs(tasks::frozen_entropy(0.5) - 2 * std::log(2.0)) < 1e-8);
  CHECK(std::abs(tasks::frozen_entropy(0.25) - (3 * std::log(2.0) - kPi / 2)) < 1e-8);
  CHECK(tasks::frozen_entropy(0) == 0);
  CHECK_THROWS_AS(tasks::frozen_entropy(1), ArgumentError);
  const double m = tasks::frozen_parameter(256, 64);
  const tasks::Sharpness drawn = tasks::sharpness_of_normal_scores(64.0 * 64.0, 256, 4000, Random(4));
  // a row has 0.17 nats on average around its mean, so 4000 know it to 0.003; theory for many keys
  CHECK(std::abs(drawn.entropy - tasks::frozen_entropy(m)) < 0.012);
  CHECK(std::abs(std::log(drawn.gradient) / std::log(tasks::frozen_gradient(m)) - 1) < 0.1);
  // the median of a gap of mean 21.6 nats is known from 4000 rows to 0.34 nats; three times that, and the median of a
  // sum is 0.2 below the sum of the medians
  CHECK(std::abs(std::log(drawn.gradient) - std::log(tasks::frozen_gradient_of_keys(256, 64))) < 1.3);
  CHECK(std::abs(tasks::median_top_gap(2) - std::sqrt(2.0) * 0.67448975019608174) < 1e-9);  // |x - y|, variance 2
}

TEST_CASE("sharpness has the gradient of central differences", "[mechanism][gradient]") {
  const Vector<double> scores = vector_of({0.3, -1.2, 2.0, 0.7}), values = vector_of({1.0, -0.5, 2.0, 0.1});
  constexpr double kStep = 1e-5, kError = 1e-9;  // h^2 and rounding / h
  double squares = 0;
  for (Index j = 0; j < scores.size(); ++j) {
    Vector<double> up = scores, down = scores;
    up[j] += kStep;
    down[j] -= kStep;
    const double slope = (library_softmax(up).dot(values) - library_softmax(down).dot(values)) / (2 * kStep);
    squares += slope * slope;
  }
  CHECK(std::abs(tasks::sharpness(scores, values).gradient - std::sqrt(squares)) < kError);
  CHECK(std::abs(tasks::sharpness(scores, values).entropy - tasks::entropy_of(library_softmax(scores))) < 1e-14);
}

TEST_CASE("the entropy maximiser finds what is known by hand", "[mechanism]") {
  // three scores 0, 1, 2 with mean 1: equal weights; two scores: the mean fixes the weights
  const tasks::EntropyMaximum equal = tasks::maximise_entropy(vector_of({0, 1, 2}), 1.0);
  CHECK((equal.weights.array() - 1.0 / 3).abs().maxCoeff() < 1e-15);
  CHECK(std::abs(equal.multiplier) < 1e-14);
  const tasks::EntropyMaximum two = tasks::maximise_entropy(vector_of({0, 1}), 0.25);
  CHECK(std::abs(two.weights[1] - 0.25) < 1e-15);
  CHECK(std::abs(two.multiplier - std::log(1.0 / 3)) < 1e-13);
  // Jaynes's die: a mean of 4.5 has the sixth side at 0.34749 (Jaynes 1962, lecture 4)
  const tasks::EntropyMaximum die = tasks::maximise_entropy(vector_of({1, 2, 3, 4, 5, 6}), 4.5);
  CHECK(std::abs(die.weights[5] - 0.34749) < 1e-5);
  CHECK(std::abs(die.weights[0] - 0.05435) < 1e-5);
  CHECK_THROWS_AS(tasks::maximise_entropy(vector_of({0, 1}), 1.0), ArgumentError);
}

TEST_CASE("the multiplier is the slope of the largest entropy", "[mechanism][gradient]") {
  const Vector<double> scores = normal_matrix(20, 1, Random(5));
  constexpr double kStep = 1e-4;  // h^2 ~ 1e-8 times a third derivative of order 1
  for (const double mean : {-0.5, 0.4, 0.9}) {
    const double up = tasks::entropy_of(tasks::maximise_entropy(scores, mean + kStep).weights);
    const double down = tasks::entropy_of(tasks::maximise_entropy(scores, mean - kStep).weights);
    CHECK(std::abs((down - up) / (2 * kStep) - tasks::maximise_entropy(scores, mean).multiplier) < 1e-6);
  }
}

TEST_CASE("other weights have the same sum and mean score, and are weights", "[mechanism][property]") {
  const Vector<double> scores = normal_matrix(30, 1, Random(6)), weights = library_softmax(3 * scores);
  const Matrix<double> directions = normal_matrix(20, 30, Random(7));
  for (Index i = 0; i < directions.rows(); ++i) {
    const Vector<double> other = tasks::same_mean(weights, scores, directions.row(i), 0.9);
    CHECK(std::abs(other.sum() - 1) < 1e-13);
    CHECK(std::abs(other.dot(scores) - weights.dot(scores)) < 1e-13);
    CHECK(other.minCoeff() > 0);
    CHECK((other - weights).cwiseAbs().maxCoeff() > 1e-4);
    CHECK(tasks::entropy_of(other) < tasks::entropy_of(weights));
  }
}

TEST_CASE("attention and kernel regression agree for keys of one norm only", "[mechanism][twin]") {
  Matrix<double> keys = normal_matrix(40, 5, Random(8));
  const Matrix<double> queries = normal_matrix(40, 5, Random(9));
  const Vector<double> values = normal_matrix(40, 1, Random(10));
  const auto apart = [&](tasks::Pairs pairs) {
    return (tasks::attend_smooth(queries, keys, values, 0.7, pairs) -
            tasks::plain_smooth(queries, keys, values, 0.7, pairs))
        .cwiseAbs()
        .maxCoeff();
  };
  CHECK(apart(tasks::Pairs::all) > 0.1);
  for (Index j = 0; j < keys.rows(); ++j) keys.row(j) *= 2 / keys.row(j).norm();
  CHECK(apart(tasks::Pairs::all) < 1e-13);
  CHECK(apart(tasks::Pairs::all_but_self) < 1e-13);
}

TEST_CASE("leave-one-out leaves out the point itself", "[mechanism]") {
  // two points: each is predicted by the other, at any bandwidth
  const Matrix<double> keys = tasks::on_circle(std::vector<double>{0.0, 1.0});
  const std::vector<double> bandwidths{0.1, 10};
  for (const double error : tasks::leave_one_out(keys, vector_of({1, 4}), bandwidths, &tasks::attend_smooth))
    CHECK(error == 9);
}

TEST_CASE("the width of a von Mises distribution is that of Bessel functions and, for long queries, 1 / sqrt(kappa)",
          "[mechanism][limit]") {
  for (const double kappa : {0.01, 0.5, 1.0, 7.0, 60.0}) {
    const double length = std::cyl_bessel_i(1.0, kappa) / std::cyl_bessel_i(0.0, kappa);
    CHECK(std::abs(tasks::von_mises_width(kappa) / std::sqrt(-2 * std::log(length)) - 1) < 1e-12);
  }
  CHECK(std::abs(tasks::von_mises_width(1e6) * 1e3 - 1) < 1e-6);
  const Vector<double> query = vector_of({3.0, -4.0});
  CHECK(std::abs(tasks::attended_width(query, 512, 0.1) / tasks::von_mises_width(5) - 1) < 1e-12);
}

TEST_CASE("the Nile flows as published", "[dataset]") {
  const datasets::series::AnnualSeries nile = datasets::series::nile_flow();
  REQUIRE(nile.values.size() == 100);
  CHECK(nile.first_year == 1871);
  double all = 0, before = 0;
  for (std::size_t i = 0; i < 100; ++i) all += nile.values[i], before += i < 28 ? nile.values[i] : 0;
  // the mean, and those before and after 1898 / 1899 (Cobb 1978)
  CHECK(std::abs(all / 100 - 919.35) < 1e-9);
  CHECK(std::abs(before / 28 - 1097.75) < 1e-9);
  CHECK(std::abs((all - before) / 72 - 849.9722222) < 1e-6);
}

TEST_CASE("pooled numbers have Student's interval over the seeds", "[mechanism]") {
  Results merged;
  merged.coordinate("seed", std::vector<std::int64_t>{1, 2, 3}, "1", "seed");
  merged.add("x", {"seed"}, std::vector<double>{1, 2, 3}, "1", "x");
  const MeanWithError pooled = add_pooled(merged, "x", "mean_x", "x");
  CHECK(pooled.mean == 2);
  // 4.3027 / sqrt(3)
  CHECK(std::abs(merged.data.at("mean_x_half_width").reals()[0] - 2.48414) < 1e-4);
}

TEST_CASE("a verdict says what fails first, with its numbers", "[mechanism]") {
  Results merged;
  merged.check({"good", "one", "", 1, 1, absolute(0)});
  give_verdict(merged, "Water is wet", "1e-3");
  CHECK(merged.verdict() == "Water is wet: holds within 1e-3.");
  CHECK(merged.found("statement_holds")->numbers == NamedNumbers{{"checks", 1}, {"failed", 0}});
  merged = Results();
  merged.check({"good", "one", "", 1, 1, absolute(0)});
  merged.check({"bad", "the wetness", "", 1, 3, relative(0.5)});
  merged.check({"worse", "the depth", "", 1, 9, relative(0.5)});
  give_verdict(merged, "Water is wet", "1e-3");
  CHECK(merged.verdict() == "Water is wet: does not hold: the wetness is 3, predicted 1 within 0.5 of it.");
}

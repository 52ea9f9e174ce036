#include "fovea/core/study/trees/stacking.hpp"

#include "fovea/core/base/random.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/study/ensemble/predictions.hpp"
#include "fovea/core/study/trees/companion.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

Matrix<double> normal_answers(Index rows, Index columns, const Random& random) {
  Matrix<double> values(rows, columns);
  for (Index i = 0; i < values.size(); ++i) values.data()[i] = random.normal(static_cast<std::uint64_t>(i));
  return values;
}

/// Classes drawn by the softmax of these logits; one column: of class 1.
std::vector<Index> drawn_classes(const Matrix<double>& logits, const Random& random) {
  std::vector<Index> classes;
  for (Index i = 0; i < logits.rows(); ++i) {
    std::vector<double> shares;
    if (logits.cols() == 1) shares.push_back(1);
    for (Index c = 0; c < logits.cols(); ++c) shares.push_back(exponential(logits(i, c)));
    double left = random.uniform(static_cast<std::uint64_t>(i)) * std::accumulate(shares.begin(), shares.end(), 0.0);
    Index found = 0;
    while (found + 1 < std::ssize(shares) && left > shares[found]) left -= shares[found++];
    classes.push_back(found);
  }
  return classes;
}

}  // namespace

TEST_CASE("stacked logits: the weights that drew the classes come back, and noise has none", "[study][trees]") {
  constexpr Index kRows = 30'000;
  const Random random(3);
  for (const Index columns : {1, 4}) {
    const std::vector<Matrix<double>> parts{normal_answers(kRows, columns, random.stream("first")),
                                            normal_answers(kRows, columns, random.stream("second")),
                                            normal_answers(kRows, columns, random.stream("noise"))};
    Matrix<double> truth = 0.5 * parts[0] + 1.5 * parts[1];
    if (columns == 1) truth.array() -= 1;  // an intercept, which is free
    const auto weights = stacked_logits(parts, drawn_classes(truth, random.stream("classes")));
    INFO(columns << " columns");
    CHECK(std::abs(weights[0] - 0.25) < 0.02);
    CHECK(std::abs(weights[1] - 0.75) < 0.02);
    CHECK(weights[2] < 0.02);
    CHECK(std::abs(weights[0] + weights[1] + weights[2] - 1) < 1e-12);
  }
}

TEST_CASE("stacked logits: what points the wrong way has weight 0, not less", "[study][trees]") {
  const Random random(4);
  const Matrix<double> right = normal_answers(2000, 1, random.stream("right"));
  const std::vector<Index> classes = drawn_classes(right, random.stream("classes"));
  CHECK(stacked_logits(std::vector<Matrix<double>>{right, -right}, classes) == std::vector<double>{1, 0});
  CHECK(stacked_logits(std::vector<Matrix<double>>{-right, -2 * right}, classes) == std::vector<double>{0.5, 0.5});
}

TEST_CASE("stacked logits: a part that answers all alike takes no weight from one that ranks", "[study][trees]") {
  const Random random(6);
  for (const Index columns : {1, 3}) {
    const Matrix<double> ranks = normal_answers(400, columns, random.stream("ranks"));
    Matrix<double> truth = 0.3 * ranks;
    truth.col(0).array() -= 1.5;
    const std::vector<Index> classes = drawn_classes(truth, random.stream("classes"));
    Matrix<double> constant = Matrix<double>::Zero(400, columns);
    constant.col(0).setConstant(-1.5);
    INFO(columns << " columns");
    CHECK(stacked_logits(std::vector<Matrix<double>>{ranks, constant}, classes) == std::vector<double>{1, 0});
    CHECK(stacked_logits(std::vector<Matrix<double>>{constant, ranks}, classes) == std::vector<double>{0, 1});
    CHECK(stacked_logits(std::vector<Matrix<double>>{constant, constant}, classes) == std::vector<double>{0.5, 0.5});
  }
}

TEST_CASE("stacked logits: what tells strata apart alone adds nothing where each has its own intercept",
          "[study][trees]") {
  constexpr Index kEach = 3000;
  const Random random(8);
  const Matrix<double> ranks = normal_answers(2 * kEach, 1, random.stream("ranks"));
  Matrix<double> strata = Matrix<double>::Zero(2 * kEach, 1);
  strata.topRows(kEach).setConstant(3);
  const std::vector<Index> classes = drawn_classes(0.5 * ranks + strata, random.stream("classes"));
  const std::vector<Matrix<double>> parts{ranks, strata};
  CHECK(stacked_logits(parts, classes, {kEach, kEach}) == std::vector<double>{1, 0});
  CHECK(stacked_logits(parts, classes)[1] > 0.4);
  CHECK_THROWS_AS(stacked_logits(parts, classes, {kEach}), ArgumentError);
}

TEST_CASE("stacked numbers have the least squared error of a fine grid", "[study][trees][twin]") {
  constexpr Index kRows = 400;
  const Random random(5);
  const Matrix<double> targets = normal_answers(kRows, 1, random.stream("targets"));
  for (const double noise : {0.2, 1.0, 3.0}) {
    const std::vector<Matrix<double>> parts{targets + 0.5 * normal_answers(kRows, 1, random.stream("first")),
                                            targets + noise * normal_answers(kRows, 1, random.stream("second")),
                                            2 * targets + normal_answers(kRows, 1, random.stream("third"))};
    const std::vector<double> aims(targets.data(), targets.data() + kRows);
    const auto error = [&](double a, double b) {
      return (a * parts[0] + b * parts[1] + (1 - a - b) * parts[2] - targets).squaredNorm();
    };
    const auto weights = stacked_numbers(parts, aims);
    const double found = error(weights[0], weights[1]);
    for (const double weight : weights) CHECK(weight >= 0);
    for (int a = 0; a <= 50; ++a)
      for (int b = 0; a + b <= 50; ++b) REQUIRE(found <= error(a / 50.0, b / 50.0) * (1 + 1e-12));
  }
}

TEST_CASE("numbers fall back to the mean as far as cases that did not teach ask for it, and no further", "[study]") {
  constexpr Index kRows = 2000;
  const Random random(7);
  const Target target{.kind = TargetKind::number, .name = "level", .classes = {}};
  const Matrix<double> truth = normal_answers(kRows, 1, random.stream("truth"));
  const std::vector<double> known(truth.data(), truth.data() + kRows);
  const auto found = [&](double noise, double slope) {
    Matrix<double> output = Matrix<double>::Zero(kRows, 2);
    output.col(0) = slope * truth + noise * normal_answers(kRows, 1, random.stream("noise"));
    const std::vector<Matrix<double>> outputs{output};
    const Calibration calibration = calibrated(target, outputs, known, CalibrationMethod::temperature, 0, 1);
    const Predictions said = combined(target, outputs, calibration, 0, 1);
    double error = 0, expected = 0;
    for (Index i = 0; i < kRows; ++i) {
      error += (said.mean(i, 0) - truth(i, 0)) * (said.mean(i, 0) - truth(i, 0));
      expected += said.deviation[i] * said.deviation[i];
    }
    CHECK(std::abs(error / expected - 1) < 1e-9);  // the deviations are those of what fell back
    return calibration.kept;
  };
  CHECK(std::abs(found(1, 1) - 0.5) < 0.05);  // var / (var + noise)
  CHECK(std::abs(found(0.1, 1) - 0.99) < 0.01);
  CHECK(found(0, 0.5) == 1);  // too near to the mean: it is not moved away
  CHECK(found(1, -1) == 0);   // the wrong way round
}

TEST_CASE("stacking without rows weighs all alike, and names what does not fit", "[study][trees][errors]") {
  const std::vector<Matrix<double>> none(3, Matrix<double>(0, 1));
  CHECK(stacked_logits(none, {}) == std::vector<double>(3, 1.0 / 3));
  CHECK(stacked_numbers(none, {}) == std::vector<double>(3, 1.0 / 3));
  const std::vector<Matrix<double>> two{Matrix<double>::Zero(2, 1), Matrix<double>::Zero(3, 1)};
  CHECK_THROWS_AS(stacked_logits(two, std::vector<Index>{0, 1}), ArgumentError);
  CHECK_THROWS_AS(stacked_numbers({}, std::vector<double>{}), ArgumentError);
}

TEST_CASE("a mixture that decides no case better than a part leaves it to the part", "[study][trees]") {
  // A is right in 16 of 20 cases and sure of all; B doubts its errors, and as many of the others.
  const Target target{.kind = TargetKind::classes, .classes = {"a", "b"}};
  Matrix<double> sure = Matrix<double>::Zero(20, 2), doubting = sure, deciding = sure;
  std::vector<double> targets;
  for (Index i = 0; i < 20; ++i) {
    const Index right = i % 2;
    const double correct = i < 4 ? -1 : 1;
    targets.push_back(static_cast<double>(right));
    sure(i, right) = 3 * correct;
    doubting(i, right) = i < 4 ? 0.4 : (i < 12 ? 0.6 : -0.6);
    deciding(i, right) = i < 4 ? 5 : (i < 8 ? -2 : 1);
  }
  Companion companion{{}, {{.boosted = true}}};
  weigh(companion, {}, target, {sure}, {doubting}, targets);
  CHECK(companion.own() == 1);
  weigh(companion, {}, target, {sure}, {deciding}, targets);  // right where A errs, and never so sure where it errs
  CHECK(companion.own() > 0.2);
  CHECK(companion.own() < 0.8);
}

}  // namespace fovea::study

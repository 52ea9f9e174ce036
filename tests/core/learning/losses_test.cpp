#include "fovea/core/learning/losses.hpp"

#include "fovea/tests/support/test.hpp"

namespace fovea::learning::test {
namespace {

constexpr double kLossRounding = 1e-14;  // sums of 12 terms of a few units, relative
const double kNan = std::numeric_limits<double>::quiet_NaN();

Matrix<double> logits() {
  Matrix<double> x(4, 3);
  x << 0.5, -1, 2, 30, -40, 0.25, -3, 1, 1, 0, 0.125, -0.75;
  return x;
}
Matrix<double> fractions() {
  Matrix<double> targets(4, 3);
  targets << 0, 1, 0.5, 1, 0, 0.25, 0.75, 1, 0, 0.5, 0.5, 1;
  return targets;
}
const std::vector<double> kRowWeights{1, 0.5, 0, 2};
const std::vector<double> kLevels{0.1, 0.5, 0.9};
const std::vector<Index> kClasses{2, 0, 1, 1};

/// sum_i weight_i sum_c l(x_ic, target_ic, c) / total, written out
double plain(const std::function<double(double, double, Index)>& l, const Matrix<double>& x, const Matrix<double>& t,
             double total) {
  double sum = 0;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index c = 0; c < x.cols(); ++c)
      if (kRowWeights[i] > 0) sum += kRowWeights[i] * l(x(i, c), t(i, c), c);
  return sum / total;
}

struct LossCase {
  const char* name;
  std::function<Variable<double>(Variable<double>, const Matrix<double>&, std::span<const double>, double)> loss;
  std::function<double(double, double, Index)> plain;
};

std::vector<LossCase> loss_cases() {
  return {{"squared", &squared_loss<double>, [](double x, double t, Index) { return (x - t) * (x - t); }},
          {"logistic", &logistic_loss<double>,
           [](double x, double t, Index) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))) - t * x; }},
          {"poisson", &poisson_loss<double>, [](double x, double t, Index) { return std::exp(x) - t * x; }},
          {"quantile",
           [](Variable<double> x, const Matrix<double>& t, std::span<const double> weights, double total) {
             return quantile_loss(x, t, std::span<const double>(kLevels), weights, total);
           },
           [](double x, double t, Index c) {
             const double level = kLevels[c];
             return std::max(level * (t - x), (level - 1) * (t - x));
           }}};
}

TEST_CASE("losses are the formulas that are written above them", "[learning][twin]") {
  for (const LossCase& loss : loss_cases()) {
    DYNAMIC_SECTION(loss.name) {
      Tape<double> tape;
      tape.begin(nullptr, {});
      const double expected = plain(loss.plain, logits(), fractions(), 3.5);
      const double found = loss.loss(tape.variable(logits()), fractions(), kRowWeights, 3.5).data()[0];
      CHECK(std::abs(found - expected) < kLossRounding * std::abs(expected));
    }
  }
}

TEST_CASE("the cross-entropy is minus the log of the softmax at the class", "[learning][twin]") {
  Tape<double> tape;
  tape.begin(nullptr, {});
  const Matrix<double> x = logits();
  double expected = 0;
  for (Index i = 0; i < 4; ++i) {
    const auto row = x.row(i).array();
    const double log_sum = std::log((row - row.maxCoeff()).exp().sum()) + row.maxCoeff();
    const std::size_t b = i;
    expected += kRowWeights[b] * (log_sum - x(i, kClasses[b])) / 3.5;
  }
  const Variable<double> found =
      cross_entropy_loss(tape.variable(x), std::span<const Index>(kClasses), std::span<const double>(kRowWeights), 3.5);
  CHECK(std::abs(found.data()[0] - expected) < kLossRounding * expected);
}

TEST_CASE("a row of weight 0 changes nothing, whatever its target and its prediction are", "[learning][property]") {
  for (const LossCase& loss : loss_cases()) {
    DYNAMIC_SECTION(loss.name) {
      const auto outcome = [&](const Matrix<double>& x, const Matrix<double>& targets) {
        Tape<double> tape;
        tape.begin(nullptr, {});
        const auto variable = tape.variable(x);
        const auto value = loss.loss(variable, targets, kRowWeights, 3.5);
        tape.backward(value);
        return std::pair<double, Matrix<double>>(value.data()[0], variable.gradient_matrix());
      };
      Matrix<double> x = logits(), targets = fractions();
      const auto expected = outcome(x, targets);
      x.row(2).setConstant(kNan);
      targets.row(2).setConstant(kNan);
      CHECK(outcome(x, targets) == expected);
      CHECK(expected.second.row(2).isZero(0));
    }
  }
}

TEST_CASE("no weights are weights of 1", "[learning][property]") {
  const std::vector<double> ones(4, 1.0);
  for (const LossCase& loss : loss_cases()) {
    Tape<double> tape;
    tape.begin(nullptr, {});
    const auto x = tape.variable(logits());
    CHECK(loss.loss(x, fractions(), {}, 4).data()[0] == loss.loss(x, fractions(), ones, 4).data()[0]);
  }
}

TEST_CASE("losses are finite at logits that no exponential can hold", "[learning][limit]") {
  Tape<float> tape;
  tape.begin(nullptr, {});
  const Matrix<float> x = (Matrix<float>(2, 2) << 1e30F, -1e30F, -200, 200).finished();
  const Matrix<float> targets = (Matrix<float>(2, 2) << 1, 0, 0, 1).finished();
  const std::vector<Index> classes{0, 1};
  const auto right = tape.variable(x);
  CHECK(logistic_loss<float>(right, targets, {}, 2).data()[0] == 0.0F);
  const auto loss = cross_entropy_loss(right, std::span<const Index>(classes), {}, 2.0F);
  CHECK(loss.data()[0] == 0.0F);
  tape.backward(loss);
  CHECK(right.gradient_matrix().isZero(0));
}

}  // namespace
}  // namespace fovea::learning::test

#include "fovea/tests/core/learning/operation_trial.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::learning::test {
namespace {

TEST_CASE("every operation: a frozen input is not touched, and the gradients of the others keep their bits",
          "[learning][property]") {
  for (const OperationEntry<float>& entry : operations<float>()) {
    const auto inputs = entry.inputs(kOperationExample);
    for (std::size_t frozen = 0; frozen < inputs.size(); ++frozen) {
      DYNAMIC_SECTION(entry.name << ", input " << frozen) {
        Tape<float> tape;
        const auto expected = try_operation(tape, entry, inputs, kOperationExample);
        begin_trial(tape);
        std::vector<Variable<float>> variables;
        for (std::size_t k = 0; k < inputs.size(); ++k)
          variables.push_back(k == frozen ? tape.input(inputs[k]) : tape.variable(inputs[k]));
        const Variable<float> y = entry.apply(variables, kOperationExample);
        CHECK(y.learns() == (inputs.size() > 1));
        tape.backward(odd_sum(y));
        CHECK(y.value() == expected.result);
        CHECK(variables[frozen].gradient_memory() == nullptr);
        CHECK(inputs[frozen] == entry.inputs(kOperationExample)[frozen]);
        for (std::size_t k = 0; k < inputs.size(); ++k)
          if (k != frozen) CHECK(variables[k].gradient_matrix() == expected.gradients[k]);
      }
    }
  }
}

/// Sums of some terms of a few units in another order.
constexpr double kOtherOrder = 1e-13;

TEST_CASE("every operation: gradients that came from elsewhere are added to", "[learning][property]") {
  for (const OperationEntry<double>& entry : operations<double>()) {
    DYNAMIC_SECTION(entry.name) {
      Tape<double> tape;
      const auto inputs = entry.inputs(kOperationExample);
      auto expected = try_operation(tape, entry, inputs, kOperationExample).gradients;
      begin_trial(tape);
      std::vector<Variable<double>> variables;
      for (const auto& input : inputs) variables.push_back(tape.variable(input));
      Variable<double> loss = odd_sum(entry.apply(variables, kOperationExample));
      for (const auto& variable : variables) loss = add(loss, odd_sum(scale(variable, -2.0)));  // felt first
      tape.backward(loss);
      for (std::size_t k = 0; k < inputs.size(); ++k) {
        INFO("input " << k);
        Tape<double> other;
        other.begin(nullptr, {});
        const auto alone = other.variable(inputs[k]);
        other.backward(odd_sum(scale(alone, -2.0)));
        const Matrix<double> sum = expected[k] + alone.gradient_matrix();
        CHECK((variables[k].gradient_matrix() - sum).cwiseAbs().maxCoeff() < kOtherOrder);
      }
    }
  }
}

TEST_CASE("every operation: one variable in two places gets the sum of both gradients", "[learning][property]") {
  int tried = 0;
  for (const OperationEntry<double>& entry : operations<double>()) {
    auto inputs = entry.inputs(kOperationExample);
    if (inputs.size() < 2 || inputs[0].rows() != inputs[1].rows() || inputs[0].cols() != inputs[1].cols()) continue;
    ++tried;
    DYNAMIC_SECTION(entry.name) {
      Tape<double> tape;
      inputs[1] = inputs[0];
      const auto apart = try_operation(tape, entry, inputs, kOperationExample);
      begin_trial(tape);
      std::vector<Variable<double>> variables(2, tape.variable(inputs[0]));
      for (std::size_t k = 2; k < inputs.size(); ++k) variables.push_back(tape.variable(inputs[k]));
      tape.backward(odd_sum(entry.apply(variables, kOperationExample)));
      const Matrix<double> sum = apart.gradients[0] + apart.gradients[1];
      CHECK((variables[0].gradient_matrix() - sum).cwiseAbs().maxCoeff() < kOtherOrder);
    }
  }
  CHECK(tried >= 3);
}

TEST_CASE("every operation: a NaN in an entry that matters is not swallowed", "[learning][property]") {
  for (const OperationEntry<float>& entry : operations<float>()) {
    DYNAMIC_SECTION(entry.name) {
      Tape<float> tape;
      auto inputs = entry.inputs(kOperationExample);
      const auto gradients = try_operation(tape, entry, inputs, kOperationExample).gradients;
      for (std::size_t k = 0; k < inputs.size(); ++k)
        for (Index place = 0; place < inputs[k].size(); ++place) {
          if (gradients[k].data()[place] == 0) continue;  // masked, or left out
          const float kept = std::exchange(inputs[k].data()[place], std::numeric_limits<float>::quiet_NaN());
          const auto outcome = try_operation(tape, entry, inputs, kOperationExample);
          inputs[k].data()[place] = kept;
          INFO("input " << k << ", entry " << place);
          REQUIRE(std::isnan(outcome.loss));
        }
    }
  }
}

TEST_CASE("the maximum of a set with a NaN is NaN, wherever it stands, and the gradient goes to it", "[learning]") {
  for (const Index place : {0, 1, 2}) {
    Tape<float> tape;
    tape.begin(nullptr, {});
    Matrix<float> x(3, 1);
    x << 1, 3, 2;
    x(place, 0) = std::numeric_limits<float>::quiet_NaN();
    const auto variable = tape.variable(x);
    const std::vector<Index> offsets{0, 3};
    const auto y = maximum_of_sets(variable, offsets);
    CHECK(std::isnan(y.data()[0]));
    tape.backward(y);
    for (Index i = 0; i < 3; ++i) CHECK(variable.gradient()[i] == (i == place ? 1.0F : 0.0F));
  }
}

TEST_CASE("equal maxima: the gradient goes to the first", "[learning]") {
  Tape<double> tape;
  tape.begin(nullptr, {});
  Matrix<double> x(4, 1);
  x << 1, 3, 3, 2;
  const auto variable = tape.variable(x);
  const std::vector<Index> offsets{0, 4};
  tape.backward(maximum_of_sets(variable, offsets));
  CHECK(variable.gradient_matrix() == (Matrix<double>(4, 1) << 0, 1, 0, 0).finished());
}

TEST_CASE("attention pooling over a set whose scores are all masked gives zeros and no gradient", "[learning][limit]") {
  Tape<double> tape;
  tape.begin(nullptr, {});
  const auto x = tape.variable(Matrix<double>::Constant(3, 2, 5));
  const auto scores = tape.variable(Matrix<double>::Constant(3, 1, -std::numeric_limits<double>::infinity()));
  const std::vector<Index> offsets{0, 3};
  const auto y = attention_pooling(x, scores, offsets);
  tape.backward(odd_sum(y));
  CHECK(y.value().isZero(0));
  CHECK(x.gradient_matrix().isZero(0));
  CHECK(scores.gradient_matrix().isZero(0));
}

}  // namespace
}  // namespace fovea::learning::test

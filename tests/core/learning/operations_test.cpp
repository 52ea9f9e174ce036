#include <omp.h>

#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/registry.hpp"
#include "fovea/tests/support/catch.hpp"
#include "fovea/tests/support/gradient_check.hpp"

namespace fovea::learning {
namespace {

/// Sets of 0, 1 and more tokens.
const OperationExample kOperationExample{{0, 3, 3, 4, 11}};
const OperationExample kFirstSets{{0, 3, 3, 4}};

/// sum_ij c_ij y_ij with fixed odd numbers c: a loss that feels every entry of y differently.
template <typename Real>
Variable<Real> odd_sum(Variable<Real> y) {
  Variable<Real> loss = y.tape().result(1, 1, {y});
  const auto weight = [](Index k) { return static_cast<Real>(0.3 + 0.17 * static_cast<double>(k % 7)); };
  Real sum = 0;
  for (Index k = 0; k < y.size(); ++k) sum += weight(k) * y.data()[k];
  loss.data()[0] = sum;
  y.tape().on_backward(loss, [=] {
    Real* const gradient = y.gradient();
    for (Index k = 0; k < y.size(); ++k) gradient[k] += weight(k) * loss.gradient()[0];
  });
  return loss;
}

template <typename Real>
struct Outcome {
  Matrix<Real> result;
  Real loss = 0;
  std::vector<Matrix<Real>> gradients;
};

template <typename Real>
Outcome<Real> try_operation(Tape<Real>& tape, const OperationEntry<Real>& entry,
                            const std::vector<Matrix<Real>>& inputs, const OperationExample& example) {
  tape.begin(nullptr, {}, {true, Random(5), 3});
  std::vector<Variable<Real>> variables;
  for (const Matrix<Real>& input : inputs) variables.push_back(tape.variable(input));
  const Variable<Real> y = entry.apply(variables, example);
  const Variable<Real> loss = odd_sum(y);
  tape.backward(loss);
  Outcome<Real> outcome{y.value(), loss.data()[0], {}};
  for (const auto& variable : variables) outcome.gradients.push_back(variable.gradient_matrix());
  return outcome;
}

TEST_CASE("every operation: its gradients agree with central differences", "[learning][gradient]") {
  for (const OperationEntry<double>& entry : operations<double>()) {
    DYNAMIC_SECTION(entry.name) {
      Tape<double> tape;
      std::vector<Matrix<double>> inputs = entry.inputs(kOperationExample);
      const Outcome<double> analytic = try_operation(tape, entry, inputs, kOperationExample);
      for (std::size_t k = 0; k < inputs.size(); ++k) {
        const double error =
            test::gradient_error(inputs[k].data(), inputs[k].size(), analytic.gradients[k].data(),
                                 [&] { return try_operation(tape, entry, inputs, kOperationExample).loss; });
        INFO("input " << k);
        CHECK(error < test::kGradientTolerance);
      }
    }
  }
}

TEST_CASE("every operation: a second pass on the same tape gives the same bits and takes no more memory",
          "[learning]") {
  for (const OperationEntry<float>& entry : operations<float>()) {
    DYNAMIC_SECTION(entry.name) {
      Tape<float> tape;
      const auto inputs = entry.inputs(kOperationExample);
      const Outcome<float> first = try_operation(tape, entry, inputs, kOperationExample);
      try_operation(tape, entry, inputs, kOperationExample);
      const std::size_t held = tape.capacity();
      const Outcome<float> third = try_operation(tape, entry, inputs, kOperationExample);
      CHECK(tape.capacity() == held);
      CHECK(first.result == third.result);
      for (std::size_t k = 0; k < inputs.size(); ++k) CHECK(first.gradients[k] == third.gradients[k]);
    }
  }
}

TEST_CASE("every operation: float agrees with double", "[learning][twin]") {
  constexpr double kFloatTolerance = 2e-5;  // 2^-24 = 6e-8, times sums of tens of terms and gradients of a few units
  const auto tables = std::pair(operations<float>(), operations<double>());
  for (std::size_t e = 0; e < tables.first.size(); ++e) {
    DYNAMIC_SECTION(tables.first[e].name) {
      Tape<float> tape;
      Tape<double> twin_tape;
      const auto inputs = tables.first[e].inputs(kOperationExample);
      std::vector<Matrix<double>> twin_inputs;
      for (const auto& input : inputs) twin_inputs.push_back(input.cast<double>());
      const auto outcome = try_operation(tape, tables.first[e], inputs, kOperationExample);
      const auto twin = try_operation(twin_tape, tables.second[e], twin_inputs, kOperationExample);
      CHECK((outcome.result.cast<double>() - twin.result).cwiseAbs().maxCoeff() < kFloatTolerance);
      for (std::size_t k = 0; k < inputs.size(); ++k)
        CHECK((outcome.gradients[k].cast<double>() - twin.gradients[k]).cwiseAbs().maxCoeff() < kFloatTolerance);
    }
  }
}

TEST_CASE("every operation: what comes later in the batch changes no bit of a row", "[learning][property]") {
  for (const OperationEntry<float>& entry : operations<float>()) {
    if (!entry.by_rows) continue;
    DYNAMIC_SECTION(entry.name) {
      Tape<float> tape;
      const auto inputs = entry.inputs(kOperationExample);
      std::vector<Matrix<float>> fewer;
      for (const auto& input : inputs)
        fewer.push_back(input.rows() == kOperationExample.tokens() ? Matrix<float>(input.topRows(kFirstSets.tokens()))
                                                                   : input);
      const auto all = try_operation(tape, entry, inputs, kOperationExample);
      const auto part = try_operation(tape, entry, fewer, kFirstSets);
      CHECK(part.result == all.result.topRows(part.result.rows()));
      for (std::size_t k = 0; k < inputs.size(); ++k)
        if (inputs[k].rows() == kOperationExample.tokens())
          CHECK(part.gradients[k] == all.gradients[k].topRows(kFirstSets.tokens()));
    }
  }
}

}  // namespace
}  // namespace fovea::learning

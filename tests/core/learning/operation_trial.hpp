#pragma once
/// An entry of the table of operations, tried on its example.

#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/registry.hpp"
#include "fovea/tests/support/odd_sum.hpp"

namespace fovea::learning::test {

using namespace fovea::test;

/// Sets of 0, 1 and more tokens.
inline const OperationExample kOperationExample{{0, 3, 3, 4, 11}};
inline const OperationExample kFirstSets{{0, 3, 3, 4}};

template <typename Real>
struct Outcome {
  Matrix<Real> result;
  Real loss = 0;
  std::vector<Matrix<Real>> gradients;
};

/// The pass of every trial: dropout acts, always with the same masks.
template <typename Real>
void begin_trial(Tape<Real>& tape) {
  tape.begin(nullptr, {}, {true, Random(5), 3});
}

template <typename Real>
Outcome<Real> try_operation(Tape<Real>& tape, const OperationEntry<Real>& entry,
                            const std::vector<Matrix<Real>>& inputs, const OperationExample& example) {
  begin_trial(tape);
  std::vector<Variable<Real>> variables;
  for (const Matrix<Real>& input : inputs) variables.push_back(tape.variable(input));
  const Variable<Real> y = entry.apply(variables, example);
  const Variable<Real> loss = odd_sum(y);
  tape.backward(loss);
  Outcome<Real> outcome{y.value(), loss.data()[0], {}};
  for (const auto& variable : variables) outcome.gradients.push_back(variable.gradient_matrix());
  return outcome;
}

}  // namespace fovea::learning::test

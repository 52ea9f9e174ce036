#pragma once
/// What the table entries of operations build their examples from. Internal to core/learning.

#include "fovea/core/learning/registry.hpp"

namespace fovea::learning {

/// Numbers in [low, high), the same for the same salt.
template <typename Real>
Matrix<Real> example_matrix(Index rows, Index columns, std::uint64_t salt, double low = -1, double high = 1) {
  const Random random = Random(salt).stream("operation example");
  Matrix<Real> numbers(rows, columns);
  for (Index k = 0; k < numbers.size(); ++k)
    numbers.data()[k] = static_cast<Real>(low + (high - low) * random.uniform(static_cast<std::uint64_t>(k)));
  return numbers;
}

/// What an example needs beside its inputs, kept until the end of the pass.
template <typename Real>
Matrix<Real>& kept_example(Tape<Real>& tape, const Matrix<Real>& numbers) {
  return tape.template kept<Matrix<Real>>() = numbers;
}

/// Columns of an example's tokens: a whole register and a part of the next.
inline constexpr Index kExampleColumns = 19;

/// tokens x kExampleColumns numbers for an operation on one matrix
template <typename Real>
std::vector<Matrix<Real>> one_example(const OperationExample& example) {
  return {example_matrix<Real>(example.tokens(), kExampleColumns, 1, -2, 2)};
}
/// Two of them
template <typename Real>
std::vector<Matrix<Real>> two_examples(const OperationExample& example) {
  return {example_matrix<Real>(example.tokens(), kExampleColumns, 1),
          example_matrix<Real>(example.tokens(), kExampleColumns, 2)};
}
/// One, and a row for its columns
template <typename Real>
std::vector<Matrix<Real>> row_example(const OperationExample& example) {
  return {example_matrix<Real>(example.tokens(), kExampleColumns, 1), example_matrix<Real>(1, kExampleColumns, 2)};
}

/// Defines name_entry() for float and double, which the table in registry.cpp refers to.
#define FOVEA_OPERATION_ENTRY(name)              \
  template OperationEntry<float> name##_entry(); \
  template OperationEntry<double> name##_entry();

}  // namespace fovea::learning

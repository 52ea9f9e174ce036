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

/// Defines name_entry() for float and double, which the table in registry.cpp refers to.
#define FOVEA_OPERATION_ENTRY(name)              \
  template OperationEntry<float> name##_entry(); \
  template OperationEntry<double> name##_entry();

}  // namespace fovea::learning

#pragma once
/// What the table entries of score functions are made with. Internal to core/attention.

#include "fovea/core/attention/modifiers/parts/example.hpp"

namespace fovea {

/// Defines name_entry() for float and double, which the table in registry.cpp refers to.
#define FOVEA_SCORE_ENTRY(name)              \
  template ScoreEntry<float> name##_entry(); \
  template ScoreEntry<double> name##_entry();

/// Parameters off any neutral point, spread over offset +- 0.3.
template <typename Real>
std::vector<Real> example_parameters(Index count, double offset = 0) {
  std::vector<Real> theta;
  for (Index k = 0; k < count; ++k)
    theta.push_back(static_cast<Real>(offset + 0.06 * static_cast<double>((k * k + 3 * k) % 11) - 0.3));
  return theta;
}

}  // namespace fovea

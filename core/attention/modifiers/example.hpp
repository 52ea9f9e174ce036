#pragma once
/// What the table entries of modifiers and scores build their examples from. Internal to core/attention.

#include <utility>

#include "fovea/core/attention/registry.hpp"

namespace fovea {

template <typename Real>
std::vector<Real> no_parameters(const ExampleProblem&) {
  return {};
}

/// One parameter for each head: first, first + step, ...
template <typename Real>
std::vector<Real> per_head(const ExampleProblem& problem, Real first, Real step) {
  std::vector<Real> theta;
  for (Index head = 0; head < problem.heads; ++head) theta.push_back(first + step * static_cast<Real>(head));
  return theta;
}

/// The keys [begin, end) that are packed into one set with query i.
inline std::pair<Index, Index> keys_beside(const ExampleProblem& problem, Index i) {
  if (problem.query_offsets.empty()) return {0, problem.key_count};
  std::size_t set = 0;
  while (problem.query_offsets[set + 1] <= i) ++set;
  return {problem.key_offsets[set], problem.key_offsets[set + 1]};
}

/// Defines name_entry() for float and double, which the table in registry.cpp refers to.
#define FOVEA_MODIFIER_ENTRY(name)              \
  template ModifierEntry<float> name##_entry(); \
  template ModifierEntry<double> name##_entry();

}  // namespace fovea

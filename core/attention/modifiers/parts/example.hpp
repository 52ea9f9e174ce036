#pragma once
/// What the table entries of modifiers and scores build their examples from. Internal to core/attention.

#include <utility>

#include "fovea/core/attention/neighbours/coordinates.hpp"
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

/// The sets of the example.
inline PackedSets example_sets(const ExampleProblem& problem) {
  if (problem.query_offsets.empty()) return {{0, problem.query_count}, {0, problem.key_count}};
  return {problem.query_offsets, problem.key_offsets};
}

/// Queries and keys on a strip that is closed to a ring of length 1: rows that follow each other lie near each other,
/// 256 rows go once around, and some lie at the same place.
inline Coordinates example_coordinates(const ExampleProblem& problem) {
  const auto points = [](Index count) {
    Matrix<double> rows(count, 2);
    for (Index i = 0; i < count; ++i)
      rows.row(i) << static_cast<double>(i) / 256, 0.001 * static_cast<double>((i * i) % 7);
    return rows;
  };
  return {points(problem.query_count), points(problem.key_count), {1, 0}, example_sets(problem)};
}

/// Defines name_entry() for float and double, which the table in registry.cpp refers to.
#define FOVEA_MODIFIER_ENTRY(name)              \
  template ModifierEntry<float> name##_entry(); \
  template ModifierEntry<double> name##_entry();

}  // namespace fovea

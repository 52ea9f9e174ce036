#pragma once
/// Times out of order for the examples of the decays. Internal to core/attention.

#include "fovea/core/attention/registry.hpp"

namespace fovea {

template <typename Real>
Vector<Real> example_query_times(const ExampleProblem& problem) {
  Vector<Real> times(problem.query_count);
  for (Index i = 0; i < times.size(); ++i) times[i] = static_cast<Real>(0.37 * static_cast<double>((5 * i) % 11));
  return times;
}

template <typename Real>
Vector<Real> example_key_times(const ExampleProblem& problem) {
  Vector<Real> times(problem.key_count);
  for (Index j = 0; j < times.size(); ++j) times[j] = static_cast<Real>(0.29 * static_cast<double>((3 * j) % 13));
  return times;
}

}  // namespace fovea

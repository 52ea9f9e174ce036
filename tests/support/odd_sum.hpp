#pragma once
/// A loss that feels every entry of a matrix differently.

#include "fovea/core/learning/tape.hpp"

namespace fovea::test {

/// sum_ij c_ij y_ij with fixed odd numbers c
template <typename Real>
learning::Variable<Real> odd_sum(learning::Variable<Real> y) {
  learning::Variable<Real> loss = y.tape().result(1, 1, {y});
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

}  // namespace fovea::test

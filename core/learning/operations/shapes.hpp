#pragma once
/// What many operations share. Internal to core/learning.

#include <string_view>

#include "fovea/core/error.hpp"
#include "fovea/core/learning/tape.hpp"

namespace fovea::learning {

template <typename Real>
void check_same_shape(std::string_view who, const Variable<Real>& a, const Variable<Real>& b) {
  require(a.rows() == b.rows() && a.columns() == b.columns(), who, ": one is ", a.rows(), " x ", a.columns(),
          ", the other ", b.rows(), " x ", b.columns(), "; they must be of the same shape.");
}

/// dL/dx += dL/dy, of the same shape
template <typename Real>
void pass_gradient(const Variable<Real>& y, const Variable<Real>& x) {
  if (!x.learns()) return;
  const auto from = y.gradient_matrix();
  if (x.first_gradient())
    Eigen::Map<Matrix<Real>>(x.gradient_memory(), x.rows(), x.columns()) = from;
  else
    Eigen::Map<Matrix<Real>>(x.gradient_memory(), x.rows(), x.columns()) += from;
}

}  // namespace fovea::learning

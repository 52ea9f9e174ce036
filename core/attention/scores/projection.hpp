#pragma once
/// Projected rows, x' = x W with W (d x width, row-major), and the way back. Internal to core/attention. Through the
/// engine's own kernels, so that a row has the same bits whatever stands beside it.

#include "fovea/core/kernels/kernels.hpp"

namespace fovea {

template <typename Real>
const Real* row_data(const MatrixView<Real>& rows, Index i) {
  return rows.data() + i * rows.outerStride();
}
template <typename Real>
Real* row_data(MatrixRef<Real>& rows, Index i) {
  return rows.data() + i * rows.outerStride();
}

template <typename Real>
void project(const MatrixView<Real>& rows, const Real* weights, MatrixRef<Real> projected) {
  const Index width = projected.cols();
  projected.setZero();
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index c = 0; c < rows.cols(); ++c)
      kernels<Real>().add_scaled(row_data<Real>(projected, i), weights + c * width, rows(i, c), width);
}

/// Adds dx = dx' W^T to rows_gradient and dW = x^T dx' to weights_gradient.
template <typename Real>
void project_backward(const MatrixView<Real>& rows, const MatrixView<Real>& gradient, const Real* weights,
                      MatrixRef<Real> rows_gradient, Real* weights_gradient) {
  const Index width = gradient.cols();
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index c = 0; c < rows.cols(); ++c) {
      rows_gradient(i, c) += kernels<Real>().dot(row_data<Real>(gradient, i), weights + c * width, width);
      kernels<Real>().add_scaled(weights_gradient + c * width, row_data<Real>(gradient, i), rows(i, c), width);
    }
}

}  // namespace fovea

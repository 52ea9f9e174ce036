#pragma once
/// Matrices and vectors of the library: row-major, one row a token (agent, event, patch).

#include <Eigen/Core>

namespace fovea {

using Eigen::Index;

template <typename Real>
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <typename Real>
using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

/// A read-only view of a row-major matrix or of a block of its columns.
template <typename Real>
using MatrixView = Eigen::Ref<const Matrix<Real>, 0, Eigen::OuterStride<>>;

/// A writable one.
template <typename Real>
using MatrixRef = Eigen::Ref<Matrix<Real>, 0, Eigen::OuterStride<>>;

}  // namespace fovea

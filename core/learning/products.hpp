#pragma once
/// Products of matrices on the engine's block kernels. Each entry is one chain of fused multiply-adds in ascending
/// order of the terms: it has the same bits for any number of rows beside it and on any number of threads.
///
/// All matrices row-major without gaps. add: the result is added to C, which otherwise is overwritten.

#include "fovea/core/base/matrix.hpp"

namespace fovea::learning {

/// C (n x m) = A (n x k) B (k x m)
template <typename Real>
void multiply(const Real* a, const Real* b, Index n, Index k, Index m, Real* c, bool add);

/// C (n x m) = row + A (n x k) B (k x m), row (1 x m) being where each row's chain starts
template <typename Real>
void multiply_from_row(const Real* a, const Real* b, const Real* row, Index n, Index k, Index m, Real* c);

/// C (n x k) = A (n x m) B (k x m)^T
template <typename Real>
void multiply_transposed(const Real* a, const Real* b, Index n, Index m, Index k, Real* c, bool add);

/// C (k x m) = A (n x k)^T B (n x m): the gradient of a weight, a sum over tokens
template <typename Real>
void transposed_multiply(const Real* a, const Real* b, Index n, Index k, Index m, Real* c, bool add);

}  // namespace fovea::learning

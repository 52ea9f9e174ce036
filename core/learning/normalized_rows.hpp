#pragma once
/// Rows of length 1, and rows of weights. Files and table: those of the operations.

#include "fovea/core/learning/tape.hpp"

namespace fovea::learning {

/// y_i = x_i / sqrt(|x_i|^2 + epsilon): rows of length 1, where x_i is not tiny; a row of zeros stays
template <typename Real>
Variable<Real> normalize_rows(Variable<Real> x, Real epsilon = Real(1e-12));
/// y_ic = e^(x_ic) / sum_c e^(x_ic), over the columns of a row; -inf gives exactly 0, and a row of nothing else zeros
template <typename Real>
Variable<Real> softmax_columns(Variable<Real> x);

}  // namespace fovea::learning

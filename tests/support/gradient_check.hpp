#pragma once
/// Gradients against central differences.

#include <functional>

#include "fovea/core/base/matrix.hpp"

namespace fovea::test {

/// Central differences with this step have a truncation error ~ h^2 |f'''| / 6 and a rounding error ~ 1e-16 |f| / h.
inline constexpr double kStep = 1e-5;
/// h^2 = 1e-10 and 1e-16 / h = 1e-11, times 100 for third derivatives and sums of many terms.
inline constexpr double kGradientTolerance = 1e-8;

/// The largest |analytic - central difference| / max(1, |analytic|) over the `count` numbers at x, which are moved and
/// put back; loss() reads them where they stand.
double gradient_error(double* x, Index count, const double* analytic, const std::function<double()>& loss);

}  // namespace fovea::test

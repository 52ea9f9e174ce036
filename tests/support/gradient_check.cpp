#include "fovea/tests/support/gradient_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fovea::test {

double gradient_error(double* x, Index count, const double* analytic, const std::function<double()>& loss) {
  double worst = 0;
  for (Index k = 0; k < count; ++k) {
    const double start = x[k];
    x[k] = start + kStep;
    const double above = loss();
    x[k] = start - kStep;
    const double below = loss();
    x[k] = start;
    const double error = std::abs(analytic[k] - (above - below) / (2 * kStep)) / std::max(1.0, std::abs(analytic[k]));
    if (std::isnan(error)) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, error);
  }
  return worst;
}

}  // namespace fovea::test

#include "fovea/core/statistics/processes/walk_integral.hpp"

#include "fovea/core/kernels/exponential.hpp"

namespace fovea {

double walk_integral_variance(double x) {
  if (x > 0.05) {
    const double decay = exponential(-x);
    return 2 * x - 3 + 4 * decay - decay * decay;
  }
  // the terms would cancel: their series
  return x * x * x * (2.0 / 3 + x * (-0.5 + x * (7.0 / 30 + x * (-1.0 / 12 + x * (31.0 / 1260 - x / 160)))));
}

}  // namespace fovea

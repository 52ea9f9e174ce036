#include "fovea/domains/opinion/theory/bessel.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"

namespace fovea::opinion::theory {

double bessel_i(double order, double x) {
  require(order >= 0 && x >= 0 && x <= 700, "bessel_i: order = ", order, " and x = ", x,
          ", but order must be >= 0 and x in [0, 700].");
  if (x == 0) return order == 0 ? 1 : 0;
  const double quarter = 0.25 * x * x;
  double term = std::exp(order * std::log(0.5 * x) - std::lgamma(order + 1)), sum = 0;
  for (int k = 1; term > 1e-18 * sum || k < 0.5 * x; ++k) {  // terms rise until k ~ x / 2
    sum += term;
    term *= quarter / (k * (k + order));
  }
  return sum;
}

double bessel_ratio(double order, double x) {
  require(order >= 0 && x >= 0, "bessel_ratio: order = ", order, " and x = ", x, ", but both must be >= 0.");
  if (x == 0) return 0;
  // from far behind, where the ratio is about x / 2n: each step back shrinks the error of that guess
  double ratio = 0;
  for (int n = static_cast<int>(2 * x) + 60; n >= 1; --n) ratio = 1 / (2 * (order + n) / x + ratio);
  return ratio;
}

}  // namespace fovea::opinion::theory

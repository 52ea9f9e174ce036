#pragma once
/// A straight line through points, with the interval of its slope: an exponent, where x and y are logarithms.

#include <span>

namespace fovea {

/// y = intercept + slope x by least squares.
struct LineFit {
  double slope = 0;
  double intercept = 0;
  double slope_error = 0;  ///< standard error from the residuals (n - 2); NaN for two points
  double half_width = 0;   ///< of the slope's 95 % interval: Student's t times the standard error; NaN for two points
  int count = 0;
};

/// Pairs with a NaN are left out. At least two different x must be left; throws ArgumentError.
LineFit fit_line(std::span<const double> x, std::span<const double> y);

/// The exponent a of y ~ x^a: fit_line() of the logarithms. Pairs that are not both > 0 are left out.
LineFit fit_power(std::span<const double> x, std::span<const double> y);

}  // namespace fovea

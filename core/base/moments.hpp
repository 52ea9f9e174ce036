#pragma once
/// Moments of a sample, summed in the order of the values, so that equal input gives equal bits.

#include <span>

namespace fovea {

/// Population moments (divided by n, not n - 1).
struct Moments {
  double mean = 0;
  double variance = 0;  ///< mean (x - m)^2
  double skewness = 0;  ///< mean (x - m)^3 / variance^(3/2); NaN where the variance is 0
  double kurtosis = 0;  ///< mean (x - m)^4 / variance^2, 3 for a normal distribution; NaN where the variance is 0
};

/// Two passes: the mean first, then the central moments. Needs at least one value; throws ArgumentError.
Moments moments(std::span<const double> values);

/// The mean and its standard error (sample sd with n - 1, over sqrt n; 0 for a single value). NaN values are left out;
/// both are NaN when none is left.
struct MeanWithError {
  double mean = 0;
  double error = 0;
  int count = 0;
};
MeanWithError mean_with_error(std::span<const double> values);

/// The p-quantile of values sorted upwards, linear between order statistics (Hyndman and Fan 1996, type 7): position
/// p (n - 1). p in [0, 1], at least one value; throws ArgumentError.
double sorted_quantile(std::span<const double> sorted, double p);

}  // namespace fovea

#pragma once
/// The standard normal distribution.

#include <cstddef>
#include <memory>
#include <vector>

namespace fovea {

/// Phi(x) = P(X <= x) for X ~ N(0, 1). Relative error near machine precision in both tails; 0 and 1 at the infinities.
double normal_cdf(double x);

/// The quantile Phi^-1(p): the x with normal_cdf(x) = p, to about 1e-15 relative. Odd about p = 1/2:
/// normal_quantile(1 - p) = -normal_quantile(p) up to the rounding of 1 - p.
/// A rational start (Abramowitz and Stegun 1964, 26.2.23, error 4.5e-4) refined by Halley's method.
/// p in [0, 1]; -inf at 0 and +inf at 1. Throws ArgumentError outside, and for NaN.
double normal_quantile(double p);

/// normal_quantile(rank / count) for ranks that are multiples of 1/2, 0 < rank < count. Each thread keeps the quantiles
/// of the last counts: columns of one table have few different ones, and a quantile costs more than a sort's share of
/// one value.
class RankQuantiles {
 public:
  explicit RankQuantiles(std::size_t count);
  double at(double rank) const;

 private:
  std::shared_ptr<std::vector<double>> quantiles_;  ///< of 0, 1/2, 1, ...; NaN: not yet known
};

}  // namespace fovea

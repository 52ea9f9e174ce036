#pragma once
/// Moments of an order parameter, gathered while a system runs, and where the Binder cumulants of several sizes cross.

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/core/base/random.hpp"

namespace fovea {

/// Sums of m, m^2 and m^4 over the measurements of one run.
struct OrderSums {
  double count = 0, first = 0, second = 0, fourth = 0;

  void add(double m);
  void add(const OrderSums& other);
  double mean() const { return first / count; }
  /// N (<m^2> - <m>^2), with m = |m| the susceptibility of a finite system.
  double susceptibility(double size) const;
  /// U4 = 1 - <m^4> / (3 <m^2>^2) (Binder 1981). 2/3 where |m| is sharp, 0 for a normal m about 0, 1/3 for the length
  /// of a vector of two normal components; negative for two peaks of which one is at 0. NaN without measurements.
  double binder() const;
};

/// A number with its standard error.
struct Estimate {
  double value = 0, error = 0;
};

/// The statistic of the pooled replicas, with its error by the jackknife over replicas (Quenouille 1956); the error is
/// NaN for a single one. statistic: 0 mean, 1 susceptibility of `size`, 2 U4.
enum class OrderStatistic { mean, susceptibility, binder };
Estimate pooled_estimate(std::span<const OrderSums> replicas, OrderStatistic statistic, double size = 1);

/// The replicas of one size at one value of the control.
struct CumulantPoint {
  std::size_t size_class = 0;  ///< 0, 1, ... from the smallest size
  double control = 0;
  std::vector<OrderSums> replicas;
};

/// One crossing that all sizes share. Near it U4 of size class i is U* + b_i (x - x*) + c_i (x - x*)^2 (c_i = 0 for
/// fewer than 5 values of the control), fitted to all points together by least squares with weights 1 / error^2, where
/// errors of neighbouring controls are averaged; for a given x* the rest is linear.
struct CumulantCrossing {
  double control = 0;  ///< x*; NaN where the curves do not cross between the first and the last control
  double binder = 0;   ///< U*
  double chi_square = 0;
  int degrees = 0;             ///< of freedom: points less parameters
  std::vector<double> slopes;  ///< b_i for each size class present
  double correction = 0;       ///< cumulant_scaling: g, what U4 of N has more than U* at x*, times N^(1/2)
};
/// At least two size classes with at least three controls each; throws ArgumentError.
CumulantCrossing cumulant_crossing(std::span<const CumulantPoint> points);

/// The same crossing of infinitely many, where everybody meets everybody (mean field). There U4 is a function of
/// s = N^(1/2) (x - x*) with corrections that fall as N^(-1/2) (Brezin and Zinn-Justin 1985): curves of finite sizes
/// meet pair by pair beside x*, by a part of 1 / N, and beside U*, by a part of N^(-1/2). Fitted to all points
/// together,
///   U4 = U* + g N^(-1/2) + b s + b' N^(-1/2) s + c s^2 + d s^3,
/// by least squares with the weights above. sizes: N of each size class. At least three size classes; ArgumentError.
CumulantCrossing cumulant_scaling(std::span<const CumulantPoint> points, std::span<const double> sizes);

/// The crossing with 95 % intervals: percentiles of crossings of data in which the replicas of each point are drawn
/// again (Efron 1979), the distance from the estimate multiplied by sqrt(R / (R - 1)), since R drawn replicas vary less
/// than new ones. Draws without a crossing count as lying at the end of the range to which they point.
struct CrossingInterval {
  CumulantCrossing estimate;
  double low = 0, high = 0;
  double binder_low = 0, binder_high = 0;
  double lost = 0;  ///< share of draws without a crossing
};
CrossingInterval cumulant_crossing_interval(std::span<const CumulantPoint> points, const Random& random, int draws);
/// Of cumulant_scaling().
CrossingInterval cumulant_scaling_interval(std::span<const CumulantPoint> points, std::span<const double> sizes,
                                           const Random& random, int draws);

}  // namespace fovea

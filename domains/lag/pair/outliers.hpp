#pragma once
/// Points whose errors are larger than they say, weighed less: a mixture of good and bad points.
///
/// The error of a point is normal with variance v, the stated one and the curve's further one together; or, with a
/// small chance c, that of an outlier, with variance k^2 v (Hogg, Bovy & Lang 2010, section 3). The chance q_i that
/// point i is an outlier follows from the likelihood L of all points, the others weighed as they are:
///
///   q_i / (1 - q_i) = c / (1 - c)  L(variance of i: k^2 v_i) / L(variance of i: v_i)
///
/// and its expected precision is (1 - q_i + q_i / k^2) / v_i (expectation step: Lange, Little & Taylor 1989). A point
/// costs two likelihoods, a curve of n points O(n^2 k^2) with k overlapping top hats: little beside the search for a
/// lag.

#include <cstddef>
#include <functional>

#include "fovea/domains/lag/pair/model.hpp"

namespace fovea::lag::pair {

/// Variances of the curve from the precisions that are expected, point by point. log_likelihood() is that of the curve
/// as it is at the time of the call; further: the curve's further variance in it. Returns how many points are rather
/// outliers than not.
std::size_t weigh_outliers(ScaledCurve& curve, double further, const std::function<double()>& log_likelihood);

/// The same for a curve on its own, as a damped random walk, in three rounds of numbers and weights. So weighed, what
/// is said about two curves being related does not depend on how they fit each other.
ScaledCurve outliers_weighed(const ScaledCurve& curve, int trend);

}  // namespace fovea::lag::pair

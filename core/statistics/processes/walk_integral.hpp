#pragma once
/// The integral of a damped random walk, whose covariance is exp(-|t - t'| / tau).

namespace fovea {

/// What its beginning leaves open of the integral:  Var[int_0^d s | s(0)] / tau^2 = 2 x - 3 + 4 e^-x - e^-2x,
/// x = d / tau >= 0; about 2 x^3 / 3 where x is small. Relative error below 1e-9.
double walk_integral_variance(double x);

}  // namespace fovea

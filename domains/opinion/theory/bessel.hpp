#pragma once
/// Modified Bessel functions of the first kind, as crowds on circles and spheres need them.

namespace fovea::opinion::theory {

/// I_nu(x) = sum_k (x / 2)^(2k + nu) / (k! Gamma(k + nu + 1))  (Abramowitz & Stegun 1964, 9.6.10). All terms are
/// positive, so nothing cancels: relative error below 1e-13. nu >= 0, 0 <= x <= 700; throws ArgumentError otherwise.
double bessel_i(double order, double x);

/// I_{nu + 1}(x) / I_nu(x), in [0, 1): the continued fraction 1 / (2 (nu + 1) / x + 1 / (2 (nu + 2) / x + ...))
/// (Abramowitz & Stegun 1964, 9.6.26), evaluated from behind. nu >= 0, x >= 0, any size.
double bessel_ratio(double order, double x);

}  // namespace fovea::opinion::theory

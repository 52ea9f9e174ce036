#pragma once
/// The displacements that a step of attention multiplies by a number: eigenvectors of a Gaussian crowd.

#include <vector>

namespace fovea::opinion::theory {

/// The polynomial f_n(x) = x^n + lower powers of x that one step about the Gaussian state reproduces, M f_n = mu_n f_n:
///   M f = r f + (1 - r) E f(y) + r (1 - r) x E f'(y) - r^2 T E f''(y),   y = r x + N(0, r T),   r = v / (v + T)
/// (derived in theory.md). M maps degree n to degree n at most, so the powers' coefficients follow from the highest
/// down; like Hermite's polynomials they are even or odd. Entry k is the coefficient of x^k, x in units of the crowd's
/// opinion with its mean at 0; variance v > 0, temperature T > 0, degree in [0, 40].
std::vector<double> displacement_mode(int degree, double variance, double temperature);

}  // namespace fovea::opinion::theory

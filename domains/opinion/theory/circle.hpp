#pragma once
/// What is known exactly about tokens on the circle and the sphere that attend to each other by the score x . y at
/// beta = 1 / T:   dtheta_i / dt = sum_j w_ij sin(theta_j - theta_i) [+ sqrt(2 D) noise].
/// Softmax ("SA"): w_ij = e_ij / sum_k e_ik, unnormalised ("USA"): w_ij = e_ij / N, with e_ij = exp(beta cos(..)).
/// Derivations: domains/opinion/theory.md.

namespace fovea::opinion::theory {

enum class CircleWeights { softmax, unnormalised };

/// The rate at which mode k grows out of the uniform crowd, without noise: k^2 I_k / (beta I_0), unnormalised
/// k^2 I_k / beta (Geshkovski, Letrouit, Polyanskiy & Rigollet 2023). Noise takes D k^2 off. k >= 1, beta > 0.
double circle_growth(int mode, double beta, CircleWeights weights);

/// The mode that grows fastest out of the uniform crowd, about sqrt(2 beta): how many camps are seen first.
int fastest_circle_mode(double beta);

/// The noise below which the uniform crowd orders: D_c = I_1 / beta, softmax I_1 / (beta I_0). With Euler steps of
/// length dt a mode grows by (1 + c dt) and noise takes exp(-D dt) off, so D_c = ln(1 + c dt) / dt; dt = 0: c itself.
double critical_noise(double beta, CircleWeights weights, double time_step = 0);

/// The beta above which order sets in with a jump (unnormalised weights): I_{d/2 + 1}(beta) / I_{d/2}(beta) = 1 / d on
/// the unit sphere of R^d; the circle, d = 2: 2.4469183 (Mun & Rosenzweig 2026). d >= 2.
double tricritical_beta(int dimension);

/// The Binder cumulant U4 = 1 - <R^4> / (3 <R^2>^2) at the critical point of a complete graph: where the weight of R is
/// exp(-R^4) R^(n-1). Two components: 1 - pi / 6 = 0.476401; one (+-): 1 - Gamma(1/4)^4 / (24 pi^2) = 0.270520.
double critical_binder(int components);

/// The cosine common to n tokens that started orthonormal, after `time`, softmax, without noise:
///   g' = 2 e^(beta g) (1 - g) ((n - 1) g + 1) / (e^beta + (n - 1) e^(beta g)),  g(0) = 0
/// (Geshkovski et al. 2023), by Runge and Kutta's fourth order in 20000 steps: errors below 1e-13 for beta <= 10 and
/// times <= 10. n >= 2, beta >= 0, time >= 0.
double orthonormal_cosine(int tokens, double beta, double time);

// Modified Bessel functions of the first kind, as crowds on circles and spheres need them.

/// I_nu(x) = sum_k (x / 2)^(2k + nu) / (k! Gamma(k + nu + 1))  (Abramowitz & Stegun 1964, 9.6.10). All terms are
/// positive, so nothing cancels: relative error below 1e-13. nu >= 0, 0 <= x <= 700; throws ArgumentError otherwise.
double bessel_i(double order, double x);

/// I_{nu + 1}(x) / I_nu(x), in [0, 1): the continued fraction 1 / (2 (nu + 1) / x + 1 / (2 (nu + 2) / x + ...))
/// (Abramowitz & Stegun 1964, 9.6.26), evaluated from behind. nu >= 0, x >= 0, any size.
double bessel_ratio(double order, double x);

}  // namespace fovea::opinion::theory

#pragma once
/// A Gaussian crowd N(m, s^2) under the score x y / T, with pull back and noise:
///   dx = (-x + lambda sum_j w_ij x_j) dt + sqrt(2 D) dW.
/// Its attention is exactly m + s^2 x / T (Castin, Ablin, Carrillo & Peyre 2025), so it stays Gaussian; a = s^2 / T.
///   dm/dt = m (-1 + lambda + lambda a),   ds^2/dt = 2 s^2 (-1 + lambda a) + 2 D.
/// With time_step > 0 the answers are those of Euler's steps, otherwise of the equation. Derivations:
/// domains/opinion/theory.md.

namespace fovea::opinion::theory {

/// The stationary variance s^2 = T / (2 lambda) (1 - sqrt(1 - 4 lambda D / T)); Euler:
///   s^2 = s^2 (1 + dt (lambda a - 1))^2 + 2 D dt.
/// NaN below T = 4 lambda D, where the crowd spreads without end. lambda, D, T > 0, time_step in [0, 1).
double noisy_crowd_variance(double temperature, double coupling, double noise, double time_step = 0);

/// The temperature below which the mean drifts off: T* = D / (1 - lambda) for 1/2 < lambda < 1; Euler:
/// D / ((1 - lambda) (1 - lambda dt / 2)).
double mean_drifts_below(double coupling, double noise, double time_step = 0);

/// The rate at which a disturbance along the n-th Hermite polynomial grows: n (-1 + lambda a + lambda a^(n-1)), n >= 1.
/// n = 1: the mean; n = 2: the variance.
double noisy_crowd_growth(int degree, double coupling, double a);

}  // namespace fovea::opinion::theory

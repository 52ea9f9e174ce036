#pragma once
/// What is known exactly about attending crowds with the Gaussian score -|x - y|^2 / 2T, softmax over everybody
/// (oneself included). Derivations: domains/opinion/theory.md.
///
/// Letters: T temperature (unit: opinion squared), s stubbornness in [0, 1], sigma spread (standard deviation) of the
/// anchors x_i(0), tau = T / sigma^2, u = sd / sigma, r = u^2 / (u^2 + tau) the pull of one attention step on a
/// Gaussian crowd.

#include <vector>

namespace fovea::opinion::theory {

/// One step of the gap between two camps of n1 and n2 equal agents, s = 0, any sizes:
///   d' = d (1 - p1 - p2),  p1 = n2 a / (n1 + n2 a),  p2 = n1 a / (n2 + n1 a),  a = exp(-d^2 / 2T).
/// Equal sizes: d' = d tanh(d^2 / 4T). T > 0, sizes > 0.
double next_gap(double gap, double temperature, double first_size = 1, double second_size = 1);

/// Steps that two camps at this gap live, s = 0: from d' - d ~ -d a (n1 / n2 + n2 / n1), a = exp(-d^2 / 2T),
///   (T / d^2) exp(d^2 / 2T) / (n1 / n2 + n2 / n1);  equal sizes: (T / 2 d^2) exp(d^2 / 2T).
/// Asymptotic for d^2 >> T and a << n1 / n2 << 1 / a (equal sizes: too low by 14 % at d^2 / T = 20). +inf where it
/// overflows. gap > 0, T > 0, sizes > 0.
double camp_lifetime(double gap, double temperature, double first_size = 1, double second_size = 1);

/// One step of the standard deviation of a Gaussian crowd, s = 0: sd' = sd^3 / (sd^2 + T); the crowd stays Gaussian.
double next_gaussian_sd(double sd, double temperature);

/// The Gaussian state with anchors N(0, sigma^2): opinions x_i = u x_i(0) at rest, where
///   tau = s u^2 (1 - u) / (u - s),  s < u <= 1.
double gaussian_state_tau(double u, double stubbornness);

/// Where the curve tau(u) folds: u = [(1 + 3 s) -+ sqrt((9 s - 1)(s - 1))] / 4, for s in (0, 1/9]; the two folds meet
/// at the endpoint s = 1/9, u = 1/3, tau = 1/27. NaN for s outside (0, 1/9].
struct Fold {
  double u = 0;
  double tau = 0;
};
Fold lower_fold(double stubbornness);  ///< the consensus-side state ends here on cooling: tau_-
Fold upper_fold(double stubbornness);

/// u of the consensus-side Gaussian state: the root of tau(u) = tau that is connected to u = s at tau = infinity.
/// NaN below the lower fold. s in (0, 1), tau > 0.
double gaussian_state_u(double tau, double stubbornness);

/// The displacement spectrum about the Gaussian state: a displacement field of degree n is multiplied by
/// (1 - s) mu_n each step, mu_n = r + (n + 1)(1 - r) r^n, n >= 0.
double displacement_growth(int degree, double r);

/// The temperature at which the consensus-side Gaussian state loses stability on cooling, in units of sigma^2: the
/// largest tau with (1 - s) mu_n(r) >= 1 for some n. For s <= 1/10 it is the lower fold (n = 1); above, a fragmentation
/// mode n >= 2 comes first; NaN for s above about 0.27, where the state is stable at every temperature. s in (0, 1).
struct Transition {
  double tau = 0;
  int degree = 0;  ///< n of the mode that goes first
};
Transition consensus_ends(double stubbornness);

/// Where two camps can no longer rest on heating, one half of the anchors N(0, sigma^2) each, taken as points at
/// +-a sigma: a = (1 - s) a tanh(a^2 / tau) + s sqrt(2 / pi), so that
///   tau = max over a of a^2 / artanh((1 - s sqrt(2 / pi) / a) / (1 - s)).
/// In units of sigma^2. The width of the camps lowers it a little: s = 0.05 gives 0.17733; 4000 agents merge at 0.1755.
/// NaN where the camps merge smoothly, without a jump (s above about 0.37). s in (0, 1).
double two_camps_end(double stubbornness);

// How ripples grow on a crowd that is spread evenly over the line, one attention step (s = 0).

/// Gaussian score: a ripple sin(k x) of the opinions is multiplied by 1 + T k^2 exp(-T k^2 / 2) in a step.
/// wave_number k >= 0 in 1 / opinion, temperature T > 0 in opinion^2.
double uniform_growth(double wave_number, double temperature);

/// Hegselmann and Krause: everybody within the bound eps alike: 1 + sin(z) / z - cos(z), z = k eps.
double window_growth(double wave_number, double bound);

struct FastestRipple {
  double wave_number = 0;
  double growth = 0;  ///< factor of one step
};

/// Gaussian score: T k^2 = 2, factor 1 + 2 / e, wavelength pi sqrt(2 T): the distance of the camps that are seen first.
FastestRipple fastest_uniform_ripple(double temperature);

// The displacements that a step of attention multiplies by a number: eigenvectors of a Gaussian crowd.

/// The polynomial f_n(x) = x^n + lower powers of x that one step about the Gaussian state reproduces, M f_n = mu_n f_n:
///   M f = r f + (1 - r) E f(y) + r (1 - r) x E f'(y) - r^2 T E f''(y),   y = r x + N(0, r T),   r = v / (v + T)
/// (derived in theory.md). M maps degree n to degree n at most, so the powers' coefficients follow from the highest
/// down; like Hermite's polynomials they are even or odd. Entry k is the coefficient of x^k, x in units of the crowd's
/// opinion with its mean at 0; variance v > 0, temperature T > 0, degree in [0, 40].
std::vector<double> displacement_mode(int degree, double variance, double temperature);

// A Gaussian crowd N(m, s^2) under the score x y / T, with pull back and noise:
//   dx = (-x + lambda sum_j w_ij x_j) dt + sqrt(2 D) dW.
// Its attention is exactly m + s^2 x / T (Castin, Ablin, Carrillo & Peyre 2025), so it stays Gaussian; a = s^2 / T.
//   dm/dt = m (-1 + lambda + lambda a),   ds^2/dt = 2 s^2 (-1 + lambda a) + 2 D.
// With time_step > 0 the answers are those of Euler's steps, otherwise of the equation.

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

// Two camps whose influence saturates: x' = -x + K sum_j w_ij tanh(alpha x_j), half of the agents at +a and half at
// -a, Gaussian score at temperature T (the same for the score x y: all have one norm). No anchors, no noise.

/// Where everybody agrees: the positive root of a = K tanh(alpha a); 0 where K alpha <= 1. steepness may be infinite.
double saturated_consensus(double coupling, double steepness);

/// The temperature at which camps rest at +-a: T = a^2 / artanh(a / (K tanh(alpha a))), from
///   a = K tanh(alpha a) tanh(a^2 / T);  0 < a < saturated_consensus.
double saturated_camps_temperature(double place, double coupling, double steepness);

struct CampsEnd {
  double temperature = 0;  ///< no camps can rest above
  double place = 0;        ///< a at that temperature, where the crowd jumps to consensus
};

/// The largest temperature of that curve. alpha = infinity: 0.582583 K^2 at a = 0.796388 K (sinh 2z = 4z, z = a^2 / T).
/// Throws ArgumentError where K alpha <= 1: there are no camps.
CampsEnd saturated_camps_end(double coupling, double steepness);

}  // namespace fovea::opinion::theory

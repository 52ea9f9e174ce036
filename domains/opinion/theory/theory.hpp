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

}  // namespace fovea::opinion::theory

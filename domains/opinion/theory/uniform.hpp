#pragma once
/// How ripples grow on a crowd that is spread evenly over the line, one attention step (s = 0). Derivations:
/// domains/opinion/theory.md.

namespace fovea::opinion::theory {

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

}  // namespace fovea::opinion::theory

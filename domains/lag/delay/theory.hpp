#pragma once
/// When the largest of many estimates is the right one: for the experiment "lag.attention".

#include "fovea/core/base/matrix.hpp"

namespace fovea::lag::delay {

/// P(|z + mean| > |z_k| for all k): the one estimate with an effect is the largest of `others` + 1, all standard normal
/// around their mean and independent:
///   integral over z > 0 of (phi(z - mean) + phi(z + mean)) (2 Phi(z) - 1)^others
/// (the distribution of the largest of independent numbers: David and Nagaraja 2003, eq. 2.1.1). mean >= 0, others >=
/// 0. By Simpson's rule, absolute error below 1e-8.
double chance_of_largest(double mean, Index others);

/// The mean at which that chance is `chance`, which is above 1 / (others + 1) and below 1. By bisection.
double mean_for_chance(double chance, Index others);

}  // namespace fovea::lag::delay

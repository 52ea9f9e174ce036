#pragma once
/// Two camps whose influence saturates: x' = -x + K sum_j w_ij tanh(alpha x_j), half of the agents at +a and half at
/// -a, Gaussian score at temperature T (the same for the score x y: all have one norm). No anchors, no noise.
/// Derivations: domains/opinion/theory.md.

namespace fovea::opinion::theory {

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

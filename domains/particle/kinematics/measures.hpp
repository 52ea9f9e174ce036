#pragma once
/// Numbers of sets of particles whose answers are known.

#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/datasets/particles/particles.hpp"

namespace fovea::particle::kinematics {

using datasets::particles::ParticleSets;

/// The mass of each set, from the sum of its momenta.
std::vector<double> set_masses(const ParticleSets& sets);

/// The largest |a - b|; NaN where one of them is.
double largest_gap(const std::vector<double>& a, const std::vector<double>& b);

/// The share of the angle phi that a set of few particles covers: the circle less its widest gap, over 2 pi. Turned at
/// random about the beam, it lies over the seam at phi = pi with this probability.
double covered_share(const ParticleSets& sets, Index set);
/// Whether the arc that it covers holds phi = pi, where phi jumps to -pi.
bool crosses_seam(const ParticleSets& sets, Index set);

/// width = sum z dR about the axis of the sum, z = pT / sum pT. wrap: dphi is taken to [-pi, pi], as it must be.
double width_of(const ParticleSets& sets, Index set, bool wrap);

/// The set turned about the beam.
ParticleSets turned_sets(const ParticleSets& sets, double angle);
/// The sets boosted along the beam by a rapidity.
ParticleSets boosted_sets(const ParticleSets& sets, double by);

/// Errors of ln m^2 in float for pairs of massless particles, for each bin of dR.
struct MassErrors {
  struct Bin {
    double delta_r = 0;         ///< its centre
    double usual_median = 0;    ///< from sums of four-vectors
    double usual_largest = 0;   ///< 20 where m^2 <= 0
    double stable_largest = 0;  ///< 4 pT1 pT2 (sinh^2(dy / 2) + sin^2(dphi / 2))
  };
  std::vector<Bin> bins;   ///< by rising dR
  double wrong_share = 0;  ///< usual: pairs whose ln m^2 is wrong by more than 1
};
/// pT of 0.5 to 200 GeV and dR of 1e-4 to 1, flat in their logarithms; |y| < 2.5; all numbers rounded to float first.
MassErrors mass_errors(Index pairs, std::size_t bins, const Random& random);

}  // namespace fovea::particle::kinematics

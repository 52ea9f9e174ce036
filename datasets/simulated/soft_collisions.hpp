#pragma once
/// Collisions of minimum bias: clusters of soft particles, and now and then a pair of jets of some GeV.
///
/// Particles within |y| < rapidity follow a negative binomial law (variance mean + mean^2 / k; UA5, Alner et al. 1985)
/// and come in clusters that are spread by normal laws in rapidity and azimuth, as resonances and strings do. Their
/// pT has the density pT (1 + pT / (n T))^-n (Hagedorn 1983), which is exponential for low pT and a power law for high.
/// Pairs of partons, opposite in azimuth, have pT with the density p^-fall above `jet_pt`, and become hadrons by the
/// coherent shower.

#include <vector>

#include "fovea/datasets/simulated/coherent_shower.hpp"

namespace fovea::datasets::simulated {

struct SoftCollision {
  double density = 10;    ///< particles in a unit of rapidity, without those of jets
  Index k = 2;            ///< of the negative binomial law
  double mean_pt = 0.55;  ///< GeV, about
  double power = 9;       ///< n > 3
  double cluster = 2;     ///< mean number of particles of a cluster, >= 1
  double spread = 0.7;    ///< of a cluster in rapidity, and in azimuth
  double jets = 0.3;      ///< mean number of pairs of jets
  double jet_pt = 3;      ///< GeV, the least
  double fall = 5;        ///< > 1
  double rapidity = 5;
  CoherentShower shower;
};

/// Adds one collision to `made`. activity: factor of the density and of the number of jets. Throws ArgumentError.
void add_soft_collision(const SoftCollision& collision, double activity, EventDraws& draws,
                        std::vector<particles::Momentum>& made);

}  // namespace fovea::datasets::simulated

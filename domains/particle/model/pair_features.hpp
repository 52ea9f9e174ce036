#pragma once
/// Numbers of a pair of particles for a bias of attention (Qu, Li, Qian 2022), of massless particles:
///
///   ln dR, ln kT with kT = min(pT_i, pT_j) dR, ln z with z = min(pT_i, pT_j) / (pT_i + pT_j),
///   ln m^2 with m^2 = 4 pT_i pT_j (sinh^2(dy / 2) + sin^2(dphi / 2)),
///
/// each at least ln 1e-8. In this form no two numbers of like size are subtracted, so single precision is enough. Two
/// particles nearer than dR = 1e-5, such as those of one cell of a calorimeter, count as that far apart: layouts that
/// round momenta otherwise would give their ln dR any value.

#include <string>
#include <vector>

#include "fovea/core/learning/pairs/pair_network.hpp"
#include "fovea/core/learning/tokens.hpp"

namespace fovea::particle::model {

enum class PairSet {
  none,
  standard,   ///< the four above
  published,  ///< the four, however near two particles are: what published weights learned from
  smooth,     ///< r and ln r, r^2 = dR^2 + 0.01^2: directions alone, with a slope of 0 where particles are parallel
  bare,       ///< ln dR alone: not smooth, for comparison
};

Index feature_count(PairSet set);

/// What a pass knows of its particles; must live until its backward pass.
struct PairPlaces {
  std::vector<float> y, phi, pt;
};
/// From coordinates (y or eta, phi, ln pT).
void place_particles(const Matrix<double>& coordinates, PairPlaces& places);

/// Writes the features of pairs of these particles, for pair_network().
learning::PairFill<float> pair_fill(PairSet set, const PairPlaces& places);

}  // namespace fovea::particle::model

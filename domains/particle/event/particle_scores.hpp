#pragma once
/// Single numbers of a particle in an event by which it is told from pile-up.

#include <string>
#include <vector>

#include "fovea/core/study/cases/cases.hpp"

namespace fovea::particle::event {

/// A number of each particle, larger for those of the hard collision.
struct ParticleScore {
  std::string name;
  std::vector<double> values;
};

/// Of the particles of these cases, from their coordinates (y, phi, ln pT):
///   pT
///   alpha_i = ln sum_j (pT_j / dR_ij)^2 over .02 < dR < .4 (Bertolini, Harris, Low, Tran 2014); without neighbours
///   -100
///   the sum of pT within .4, itself included
/// less (alpha) or over its mean in the event, so that events with more or less pile-up compare
std::vector<ParticleScore> particle_scores(const study::Cases& cases, const std::vector<Index>& items);

}  // namespace fovea::particle::event

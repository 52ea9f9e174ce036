#pragma once
/// What infrared and collinear safety is about: soft particles that are added, particles that are split.

#include "fovea/core/base/random.hpp"
#include "fovea/datasets/particles/particles.hpp"

namespace fovea::particle::safety {

/// Each jet with `count` further massless constituents, each with this share of the scalar sum of pT, uniform in the
/// square of half side 0.6 about the jet's axis in (eta, phi). share > 0.
datasets::particles::ParticleSets with_soft(const datasets::particles::ParticleSets& jets, Index count, double share,
                                            const Random& random);

/// Each constituent as two massless ones, which share its pT at random between 1 : 4 and 4 : 1, `opening` apart in
/// (eta, phi) in a random direction, about their common centre. opening >= 0; at 0 they are parallel.
datasets::particles::ParticleSets with_splits(const datasets::particles::ParticleSets& jets, double opening,
                                              const Random& random);

}  // namespace fovea::particle::safety

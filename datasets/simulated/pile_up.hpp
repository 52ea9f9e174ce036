#pragma once
/// Soft collisions that lie over a hard one: particles without structure, flat in rapidity and azimuth.
///
///   collisions ~ Poisson(mean), particles of each ~ Poisson(mean),
///   f(pT) ~ pT exp(-pT / T), T half of the mean pT; a third of them photons, the others charged pions

#include "fovea/core/base/random.hpp"
#include "fovea/datasets/particles/particles.hpp"

namespace fovea::datasets::simulated {

struct PileUpPlan {
  double collisions = 20;  ///< mean number in an event, in (0, 500]
  double particles = 140;  ///< mean number in a collision, in (0, 500]
  double mean_pt = 0.6;    ///< GeV, > 0
  double rapidity = 5;     ///< flat in |y| below it, > 0
};

/// Events of pile-up alone, whose sub-events count from 1. All numbers of event i are a function of (random, i).
/// Throws ArgumentError.
particles::ParticleSets pile_up(Index events, const PileUpPlan& plan, const Random& random);

/// The events with pile-up behind their particles, which are sub-event 0; with ids only where the hard ones have
/// them. Labels, truth and numbers stay. Throws ArgumentError.
particles::ParticleSets with_pile_up(const particles::ParticleSets& hard, const PileUpPlan& plan, const Random& random);

}  // namespace fovea::datasets::simulated

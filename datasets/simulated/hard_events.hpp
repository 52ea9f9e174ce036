#pragma once
/// Hard collisions with soft ones over them: events whose particles are known to be of either.

#include "fovea/core/base/random.hpp"
#include "fovea/datasets/simulated/pile_up.hpp"

namespace fovea::datasets::simulated {

struct HardEventPlan {
  double least_pt = 40, most_pt = 250;  ///< of both partons, uniform in ln pT, opposite in azimuth
  double rapidity = 2.5;                ///< flat in |y| below it, of each parton
  double emissions = 28;                ///< mean number of each parton's: a jet of 100 GeV has some 30 particles
  double underlying = 80;               ///< mean number of particles between the jets, flat in rapidity and azimuth
  double underlying_pt = 0.8;           ///< GeV, their mean
  PileUpPlan pile_up{.mean_pt = 0.5};   ///< charged particles of minimum bias have some 0.5 GeV
};

/// Two showered partons, an underlying event, pile-up: sub-event 0 is the hard collision. All numbers of event i are a
/// function of (random, i). Throws ArgumentError.
particles::ParticleSets hard_events(Index events, const HardEventPlan& plan, const Random& random);

}  // namespace fovea::datasets::simulated

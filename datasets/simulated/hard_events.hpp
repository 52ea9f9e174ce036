#pragma once
/// Hard collisions with soft ones over them: events whose particles are known to be of either.
///
/// No simulation is like another, and none is like what is recorded. So what is not known well is drawn anew for each
/// event from a span: what a model learns is what holds over all of them (Tobin et al. 2017).

#include "fovea/core/base/random.hpp"
#include "fovea/datasets/particles/particles.hpp"
#include "fovea/datasets/simulated/event_draws.hpp"

namespace fovea::datasets::simulated {

struct HardEventPlan {
  Span collisions{8, 30};         ///< mean number of soft collisions, uniform in the logarithm
  Span density{7, 14};            ///< particles of one in a unit of rapidity
  Span mean_pt{0.4, 0.8};         ///< GeV, of soft particles
  Span power{6, 12};              ///< of their law of pT
  Span cluster{1, 4};             ///< particles of a cluster
  Span spread{0.4, 1};            ///< of a cluster in rapidity, and in azimuth
  Span soft_jets{0.05, 0.8};      ///< pairs of jets in a soft collision, uniform in the logarithm
  Span soft_jet_pt{2.5, 5};       ///< GeV, the least of them
  Span soft_jet_fall{4, 6.5};     ///< the power of their law of pT
  Span hard_pt{15, 150};          ///< GeV, of the hardest parton, uniform in the logarithm
  Span hard_share{0.3, 1};        ///< of it that each other parton has
  Span spread_of_jets{0.6, 1.5};  ///< of partons in rapidity, about that of the collision
  Span underlying{0.5, 2};        ///< activity of the collision beside its jets, in soft collisions
  Span least_kt{0.6, 1.5};        ///< GeV, where the showers end
  Index most_partons = 4;         ///< 1 to so many
};

/// A parton or up to `most_partons`, two leptons in half of the events, an underlying event; soft collisions over
/// them. The hard collision is sub-event 0. All numbers of event i are a function of (random, i). Throws ArgumentError.
particles::ParticleSets hard_events(Index events, const HardEventPlan& plan, const Random& random);

}  // namespace fovea::datasets::simulated

#include "fovea/datasets/simulated/hard_events.hpp"

#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/simulated/toy_shower.hpp"

namespace fovea::datasets::simulated {

particles::ParticleSets hard_events(Index events, const HardEventPlan& plan, const Random& random) {
  require(events >= 1 && plan.least_pt > 0 && plan.most_pt > plan.least_pt, "hard_events: ", events,
          " events of partons from ", plan.least_pt, " to ", plan.most_pt, " GeV; one event and a range are needed.");
  constexpr double kFullTurn = 2 * std::numbers::pi;
  const ToyShower wide{1.0, 30, 300};
  const Random partons = random.stream("partons"), emitted = random.stream("emissions");
  particles::ParticleSets hard;
  std::vector<particles::Momentum> all;
  for (Index e = 0; e < events; ++e) {
    const auto entity = static_cast<std::uint64_t>(e);
    const double pt = plan.least_pt * std::pow(plan.most_pt / plan.least_pt, partons.uniform(entity, 0));
    const double azimuth = kFullTurn * partons.uniform(entity, 1);
    for (std::uint64_t k = 0; k < 2; ++k) {
      const double y = plan.rapidity * (2 * partons.uniform(entity, 2 + k) - 1);
      const Showered jet = showered({pt, y, azimuth + static_cast<double>(k) * std::numbers::pi, 0}, plan.emissions,
                                    wide, emitted, 2 * entity + k);
      all.insert(all.end(), jet.particles.begin(), jet.particles.end());
    }
    hard.offsets.push_back(static_cast<Index>(all.size()));
  }
  hard.momenta.resize(static_cast<Index>(all.size()), 4);
  for (std::size_t i = 0; i < all.size(); ++i)
    hard.momenta.row(static_cast<Index>(i)) << all[i].px, all[i].py, all[i].pz, all[i].energy;
  PileUpPlan underlying = plan.pile_up;
  underlying.collisions = 1, underlying.particles = plan.underlying, underlying.mean_pt = plan.underlying_pt;
  // One soft collision on the average: its particles belong to the hard one.
  particles::ParticleSets whole = with_pile_up(hard, underlying, random.stream("underlying event"));
  whole.sub_events.assign(static_cast<std::size_t>(whole.particles()), 0);
  return with_pile_up(whole, plan.pile_up, random.stream("pile-up"));
}

}  // namespace fovea::datasets::simulated

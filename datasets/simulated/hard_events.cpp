#include "fovea/datasets/simulated/hard_events.hpp"

#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/simulated/soft_collisions.hpp"

namespace fovea::datasets::simulated {

namespace {

using particles::Momentum;

constexpr Index kHardK = 8;  // a hard collision is a central one: it varies less than soft ones do

SoftCollision soft_of_event(const HardEventPlan& plan, EventDraws& draws) {
  SoftCollision soft;
  soft.density = draws.between(plan.density);
  soft.k = 1 + static_cast<Index>(4 * draws.uniform());
  soft.mean_pt = draws.between(plan.mean_pt);
  soft.power = std::round(draws.between(plan.power));
  soft.cluster = draws.between(plan.cluster);
  soft.spread = draws.between(plan.spread);
  soft.jets = draws.log_between(plan.soft_jets);
  soft.jet_pt = draws.between(plan.soft_jet_pt);
  soft.fall = draws.between(plan.soft_jet_fall);
  soft.shower.least_kt = draws.between(plan.least_kt);
  return soft;
}

/// Azimuths are even but for the second parton, which is opposite to the first.
void add_jets(const HardEventPlan& plan, const CoherentShower& shower, EventDraws& draws, std::vector<Momentum>& made) {
  const double pt = draws.log_between(plan.hard_pt), middle = draws.normal(), phi = draws.azimuth();
  const double spread = draws.between(plan.spread_of_jets);
  const Index partons = 1 + static_cast<Index>(static_cast<double>(plan.most_partons) * draws.uniform());
  for (Index k = 0; k < partons; ++k) {
    const double share = draws.between(plan.hard_share), y = middle + spread * draws.normal();
    const double azimuth = draws.azimuth();
    const bool gluon = draws.uniform() < 0.5;
    const double turned = k == 0 ? phi : k == 1 ? phi + std::numbers::pi + 0.3 * draws.normal() : azimuth;
    add_hadrons({k == 0 ? pt : share * pt, y, turned, 0}, gluon, shower, draws, made);
  }
}

void add_leptons(EventDraws& draws, std::vector<Momentum>& made) {
  if (draws.uniform() < 0.5) return;
  for (Index k = 0; k < 2; ++k) {
    const double pt = draws.log_between({15, 80}), y = 1.2 * draws.normal(), phi = draws.azimuth();
    made.push_back(particles::from_rapidity(pt, y, phi, 0));
  }
}

void add_hard_event(const HardEventPlan& plan, EventDraws& draws, std::vector<Momentum>& all,
                    std::vector<std::int32_t>& sub_events) {
  const SoftCollision soft = soft_of_event(plan, draws);
  add_jets(plan, soft.shower, draws, all);
  add_leptons(draws, all);
  SoftCollision underlying = soft;
  underlying.k = kHardK;
  add_soft_collision(underlying, draws.between(plan.underlying), draws, all);
  sub_events.resize(all.size(), 0);
  const Index collisions = draws.poisson(draws.log_between(plan.collisions));
  for (Index c = 1; c <= collisions; ++c) {
    add_soft_collision(soft, 1, draws, all);
    sub_events.resize(all.size(), static_cast<std::int32_t>(c));
  }
}

}  // namespace

particles::ParticleSets hard_events(Index events, const HardEventPlan& plan, const Random& random) {
  require(events >= 1 && plan.collisions.low > 0 && plan.soft_jets.low > 0 && plan.hard_pt.low > 0 &&
              plan.most_partons >= 1,
          "hard_events: ", events, " events, ", plan.collisions.low, " collisions, ", plan.soft_jets.low,
          " jets, partons of ", plan.hard_pt.low, " GeV, at most ", plan.most_partons,
          " of them; all must be above 0.");
  particles::ParticleSets sets;
  std::vector<Momentum> all;
  for (Index e = 0; e < events; ++e) {
    EventDraws draws(random, e);
    add_hard_event(plan, draws, all, sets.sub_events);
    sets.offsets.push_back(static_cast<Index>(all.size()));
    sets.numbers.push_back(e);
  }
  sets.momenta.resize(static_cast<Index>(all.size()), 4);
  for (std::size_t i = 0; i < all.size(); ++i)
    sets.momenta.row(static_cast<Index>(i)) << all[i].px, all[i].py, all[i].pz, all[i].energy;
  return sets;
}

}  // namespace fovea::datasets::simulated

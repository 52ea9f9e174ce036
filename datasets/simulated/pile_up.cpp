#include "fovea/datasets/simulated/pile_up.hpp"

#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::simulated {

namespace {

constexpr double kPionMass = 0.13957;

/// Of one event, one number after the other.
class PileUpDraws {
 public:
  PileUpDraws(const Random& random, Index event) : random_(random), event_(static_cast<std::uint64_t>(event)) {}
  double uniform() { return random_.uniform(event_, next_++); }
  /// By inversion: exp(-500) is still a number.
  Index poisson(double mean) {
    const double u = uniform();
    double probability = std::exp(-mean), sum = probability;
    Index count = 0;
    while (sum <= u && count < 10000) probability *= mean / static_cast<double>(++count), sum += probability;
    return count;
  }

 private:
  const Random& random_;
  std::uint64_t event_, next_ = 0;
};

struct SoftParticle {
  particles::Momentum momentum;
  std::int32_t id = 0, collision = 0;
};

std::vector<SoftParticle> soft_particles(const PileUpPlan& plan, const Random& random, Index event) {
  PileUpDraws draws(random, event);
  std::vector<SoftParticle> all;
  const Index collisions = draws.poisson(plan.collisions);
  for (Index c = 1; c <= collisions; ++c) {
    const Index count = draws.poisson(plan.particles);
    for (Index i = 0; i < count; ++i) {
      const double pt = -plan.mean_pt / 2 * (std::log1p(-draws.uniform()) + std::log1p(-draws.uniform()));
      const double y = plan.rapidity * (2 * draws.uniform() - 1);
      const double phi = std::numbers::pi * (2 * draws.uniform() - 1), kind = 3 * draws.uniform();
      const std::int32_t id = kind < 1 ? 22 : kind < 2 ? 211 : -211;
      all.push_back({particles::from_rapidity(pt, y, phi, id == 22 ? 0 : kPionMass), id, static_cast<std::int32_t>(c)});
    }
  }
  return all;
}

void check_pile_up(const PileUpPlan& plan) {
  require(plan.collisions > 0 && plan.collisions <= 500 && plan.particles > 0 && plan.particles <= 500,
          "pile_up: ", plan.collisions, " collisions of ", plan.particles,
          " particles are asked for, but both means must be in (0, 500].");
  require(plan.mean_pt > 0 && plan.rapidity > 0, "pile_up: the mean pT is ", plan.mean_pt, " GeV within |y| < ",
          plan.rapidity, ", but both must be above 0.");
}

}  // namespace

particles::ParticleSets pile_up(Index events, const PileUpPlan& plan, const Random& random) {
  particles::ParticleSets empty;
  empty.offsets.assign(events + 1, 0);
  empty.momenta.resize(0, 4);
  for (Index e = 0; e < events; ++e) empty.numbers.push_back(e);
  return with_pile_up(empty, plan, random);
}

particles::ParticleSets with_pile_up(const particles::ParticleSets& hard, const PileUpPlan& plan,
                                     const Random& random) {
  check_pile_up(plan);
  const bool has_ids = !hard.ids.empty() || hard.particles() == 0;
  particles::ParticleSets mixed = hard;
  mixed.offsets.assign(1, 0);
  mixed.ids.clear();
  mixed.sub_events.clear();
  std::vector<particles::Momentum> momenta;
  for (Index e = 0; e < hard.count(); ++e) {
    for (Index i = hard.offsets[e]; i < hard.offsets[e + 1]; ++i) {
      momenta.push_back(particles::momentum_of(hard.momenta, i));
      mixed.sub_events.push_back(0);
      if (has_ids) mixed.ids.push_back(hard.ids[i]);
    }
    for (const SoftParticle& soft : soft_particles(plan, random, e)) {
      momenta.push_back(soft.momentum);
      mixed.sub_events.push_back(soft.collision);
      if (has_ids) mixed.ids.push_back(soft.id);
    }
    mixed.offsets.push_back(static_cast<Index>(momenta.size()));
  }
  mixed.momenta.resize(static_cast<Index>(momenta.size()), 4);
  for (std::size_t i = 0; i < momenta.size(); ++i)
    mixed.momenta.row(static_cast<Index>(i)) << momenta[i].px, momenta[i].py, momenta[i].pz, momenta[i].energy;
  return mixed;
}

}  // namespace fovea::datasets::simulated

#include "fovea/datasets/simulated/two_body_decays.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/particles/boosts.hpp"

namespace fovea::datasets::simulated {

namespace {

using particles::Momentum;

constexpr double kFullTurn = 2 * std::numbers::pi;

/// What a decay draws: numbered, so that none depends on another.
enum class Draw : std::uint64_t { mass, pt, rapidity, azimuth, theta, theta_azimuth, w_mass, w_theta, w_azimuth };

class DecayDraws {
 public:
  DecayDraws(const Random& random, Index decay) : random_(random), decay_(static_cast<std::uint64_t>(decay)) {}
  double uniform(Draw what) const { return random_.uniform(decay_, static_cast<std::uint64_t>(what)); }
  double between(double low, double high, Draw what) const { return low + (high - low) * uniform(what); }

 private:
  const Random& random_;
  std::uint64_t decay_;
};

void put_row(Matrix<double>& rows, Index row, Index column, const Momentum& p) {
  rows(row, column) = p.px;
  rows(row, column + 1) = p.py;
  rows(row, column + 2) = p.pz;
  rows(row, column + 3) = p.energy;
}

particles::ParticleSets sets_of(Index count, Index each) {
  require(count >= 0, "decays: ", count, " are asked for, but the number must be 0 or more.");
  particles::ParticleSets sets;
  for (Index i = 1; i <= count; ++i) sets.offsets.push_back(i * each);
  sets.momenta.resize(count * each, 4);
  for (Index i = 0; i < count; ++i) sets.numbers.push_back(i);
  return sets;
}

void put_by_falling_pt(particles::ParticleSets& sets, Index set, std::array<std::pair<Momentum, std::int32_t>, 3> all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return particles::pt(a.first) > particles::pt(b.first); });
  for (Index i = 0; i < 3; ++i) {
    put_row(sets.momenta, 3 * set + i, 0, all[i].first);
    sets.ids.push_back(all[i].second);
  }
}

}  // namespace

double decay_momentum(double mass, double first, double second) {
  require(mass > 0 && first >= 0 && second >= 0 && mass >= first + second, "decay: a mass of ", mass, " cannot become ",
          first, " and ", second, "; it must be at least their sum.");
  const double sum = first + second, difference = first - second;
  return std::sqrt((mass - sum) * (mass + sum) * (mass - difference) * (mass + difference)) / (2 * mass);
}

std::array<Momentum, 2> two_body_decay(const Momentum& parent, double first, double second, double cos_theta,
                                       double azimuth) {
  const double p = decay_momentum(particles::mass(parent), first, second);
  const double across = p * std::sqrt((1 - cos_theta) * (1 + cos_theta));
  const Momentum one{across * std::cos(azimuth), across * std::sin(azimuth), p * cos_theta, std::hypot(p, first)};
  const Momentum other{-one.px, -one.py, -one.pz, std::hypot(p, second)};
  return {particles::boosted(one, parent), particles::boosted(other, parent)};
}

double resonance_mass(double mass, double width, double reach, double uniform) {
  return mass + width / 2 * std::tan((2 * uniform - 1) * std::atan(2 * reach));
}

MadeDecays z_decays(Index count, const ZPlan& plan, const Random& random) {
  require(plan.mass - plan.reach * plan.width > 2 * plan.lepton, "z_decays: the lightest mass is ",
          plan.mass - plan.reach * plan.width, ", but must be above that of two leptons.");
  MadeDecays made{sets_of(count, 2), {}, {}};
  for (Index i = 0; i < count; ++i) {
    const DecayDraws draws(random, i);
    const double mass = resonance_mass(plan.mass, plan.width, plan.reach, draws.uniform(Draw::mass));
    const Momentum z = particles::from_rapidity(-plan.mean_pt * std::log1p(-draws.uniform(Draw::pt)),
                                                draws.between(-plan.rapidity, plan.rapidity, Draw::rapidity),
                                                draws.between(0, kFullTurn, Draw::azimuth), mass);
    const auto leptons = two_body_decay(z, plan.lepton, plan.lepton, draws.between(-1, 1, Draw::theta),
                                        draws.between(0, kFullTurn, Draw::theta_azimuth));
    put_row(made.sets.momenta, 2 * i, 0, leptons[0]);
    put_row(made.sets.momenta, 2 * i + 1, 0, leptons[1]);
    made.sets.ids.insert(made.sets.ids.end(), {13, -13});
    made.masses.push_back(mass);
  }
  return made;
}

MadeDecays top_decays(Index count, const TopPlan& plan, const Random& random) {
  require(plan.mass - plan.reach * plan.width > plan.w_mass + plan.reach * plan.w_width + plan.bottom,
          "top_decays: the lightest top quark has ", plan.mass - plan.reach * plan.width,
          " GeV, but must be heavier than the heaviest W and a bottom quark.");
  MadeDecays made{sets_of(count, 3), {}, {}};
  made.sets.truth.resize(count, 16);
  for (Index i = 0; i < count; ++i) {
    const DecayDraws draws(random, i);
    const double mass = resonance_mass(plan.mass, plan.width, plan.reach, draws.uniform(Draw::mass));
    const double w_mass = resonance_mass(plan.w_mass, plan.w_width, plan.reach, draws.uniform(Draw::w_mass));
    const Momentum top =
        particles::from_pseudorapidity(draws.between(plan.least_pt, plan.most_pt, Draw::pt),
                                       draws.between(-plan.pseudorapidity, plan.pseudorapidity, Draw::rapidity),
                                       draws.between(0, kFullTurn, Draw::azimuth), mass);
    const auto [bottom, w] = two_body_decay(top, plan.bottom, w_mass, draws.between(-1, 1, Draw::theta),
                                            draws.between(0, kFullTurn, Draw::theta_azimuth));
    const auto [quark, other] =
        two_body_decay(w, 0, 0, draws.between(-1, 1, Draw::w_theta), draws.between(0, kFullTurn, Draw::w_azimuth));
    put_row(made.sets.truth, i, 0, top);
    put_row(made.sets.truth, i, 4, bottom);
    put_row(made.sets.truth, i, 8, quark);
    put_row(made.sets.truth, i, 12, other);
    put_by_falling_pt(made.sets, i, {{{bottom, 5}, {quark, 2}, {other, -1}}});
    made.masses.push_back(mass);
    made.w_masses.push_back(w_mass);
  }
  return made;
}

}  // namespace fovea::datasets::simulated

#include "fovea/datasets/particles/boosts.hpp"
#include "fovea/datasets/simulated/pile_up.hpp"
#include "fovea/datasets/simulated/two_body_decays.hpp"
#include "fovea/tests/support/test.hpp"

namespace particles = fovea::datasets::particles;
using particles::Momentum;

namespace {

constexpr double kBoostRounding = 1e-9;  // of energies below 1000 GeV: 1e-16 times some

double largest_of(const Momentum& p) {
  return std::max({std::abs(p.px), std::abs(p.py), std::abs(p.pz), std::abs(p.energy)});
}
double gap_of(const Momentum& a, const Momentum& b) {
  return largest_of({a.px - b.px, a.py - b.py, a.pz - b.pz, a.energy - b.energy});
}

}  // namespace

TEST_CASE("a boost takes a particle at rest to the frame's velocity and keeps products of momenta", "[boosts]") {
  const Momentum frame = particles::from_rapidity(40, 1.3, -2.9, 91), rest{0, 0, 0, 5};
  const Momentum moved = particles::boosted(rest, frame);
  CHECK(gap_of(moved, {5 * frame.px / 91, 5 * frame.py / 91, 5 * frame.pz / 91, 5 * frame.energy / 91}) <
        kBoostRounding);
  const Momentum a = particles::from_rapidity(10, -0.4, 1, 0.1), b = particles::from_rapidity(3, 0.7, 2, 4);
  const auto product = [](const Momentum& p, const Momentum& q) {
    return p.energy * q.energy - p.px * q.px - p.py * q.py - p.pz * q.pz;
  };
  CHECK(std::abs(product(particles::boosted(a, frame), particles::boosted(b, frame)) - product(a, b)) < kBoostRounding);
  CHECK(std::abs(particles::rapidity(particles::boosted_along_beam(b, -2)) - (0.7 - 2)) < kBoostRounding);
  CHECK(std::abs(particles::phi(particles::turned(b, 3)) - (5 - 2 * std::numbers::pi)) < kBoostRounding);
  CHECK(support::refusal_of<ArgumentError>([&] {
          particles::boosted(a, {1, 0, 0, 1});
        }) == "boosted: the frame has mass^2 = 0, but must have a mass above 0.");
}

TEST_CASE("two daughters have their masses and add up to what decayed", "[two_body_decays]") {
  const Momentum parent = particles::from_rapidity(600, -1.7, 3.1, 172.5);
  const auto [b, w] = datasets::simulated::two_body_decay(parent, 4.8, 80.4, 0.3, 5);
  CHECK(gap_of(b + w, parent) < kBoostRounding);
  CHECK(std::abs(particles::mass(b) - 4.8) < 1e-6);  // m^2 cancels: 600^2 * 1e-16 / 4.8
  CHECK(std::abs(particles::mass(w) - 80.4) < kBoostRounding);
  CHECK(datasets::simulated::decay_momentum(10, 5, 5) == 0);
  CHECK(std::abs(datasets::simulated::decay_momentum(10, 0, 0) - 5) < 1e-15);
  CHECK(support::refusal_of<ArgumentError>([] { datasets::simulated::decay_momentum(10, 6, 5); }) ==
        "decay: a mass of 10 cannot become 6 and 5; it must be at least their sum.");
}

TEST_CASE("made top quarks have the masses that were drawn, and their partons fall in pT", "[two_body_decays]") {
  const auto made = datasets::simulated::top_decays(200, {}, Random(3));
  REQUIRE(made.sets.count() == 200);
  for (Index i = 0; i < 200; ++i) {
    const std::size_t set = i;
    const Momentum sum = particles::sum_of(made.sets.momenta, 3 * i, 3 * i + 3);
    CHECK(std::abs(particles::mass(sum) - made.masses[set]) < 1e-8);
    CHECK(std::abs(made.sets.truth(i, 3) - sum.energy) < kBoostRounding);
    for (Index k = 1; k < 3; ++k)
      CHECK(particles::pt(particles::momentum_of(made.sets.momenta, 3 * i + k)) <=
            particles::pt(particles::momentum_of(made.sets.momenta, 3 * i + k - 1)));
  }
  const auto fewer = datasets::simulated::top_decays(7, {}, Random(3));
  CHECK(fewer.sets.momenta == made.sets.momenta.topRows(21));  // a decay is a function of its number alone
}

TEST_CASE("pile-up has the plan's means and comes behind the hard particles", "[pile_up][statistics]") {
  const auto hard = datasets::simulated::top_decays(100, {}, Random(1));
  const datasets::simulated::PileUpPlan plan;
  const auto events = datasets::simulated::with_pile_up(hard.sets, plan, Random(2));
  REQUIRE(events.count() == 100);
  Index soft = 0;
  double total_pt = 0;
  for (Index e = 0; e < 100; ++e) {
    const std::size_t first = events.offsets[e];
    CHECK(events.momenta.middleRows(static_cast<Index>(first), 3) == hard.sets.momenta.middleRows(3 * e, 3));
    for (std::size_t i = first; i < static_cast<std::size_t>(events.offsets[e + 1]); ++i) {
      CHECK((events.sub_events[i] == 0) == (i < first + 3));
      if (events.sub_events[i] == 0) continue;
      ++soft;
      total_pt += particles::pt(particles::momentum_of(events.momenta, static_cast<Index>(i)));
    }
  }
  // 100 events of 20 +- 4.5 collisions: 2.3 % of standard error
  CHECK(std::abs(static_cast<double>(soft) / 100 / (plan.collisions * plan.particles) - 1) < 0.1);
  CHECK(std::abs(total_pt / static_cast<double>(soft) - plan.mean_pt) < 0.01);
  CHECK(events.ids.size() == events.sub_events.size());
  CHECK(datasets::simulated::pile_up(3, plan, Random(2)).count() == 3);
  CHECK(support::refusal_of<ArgumentError>([&] {
          datasets::simulated::pile_up(1, {1000, 1, 1, 1}, Random(1));
        }) == "pile_up: 1000 collisions of 1 particles are asked for, but both means must be in (0, 500].");
}

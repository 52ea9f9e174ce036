#include "fovea/datasets/simulated/hard_events.hpp"

#include "fovea/datasets/simulated/soft_collisions.hpp"
#include "fovea/tests/support/test.hpp"

namespace particles = fovea::datasets::particles;
namespace simulated = fovea::datasets::simulated;

TEST_CASE("hard events are functions of their number, and sub-event 0 comes first", "[hard_events]") {
  const auto many = simulated::hard_events(4, {}, Random(3)), few = simulated::hard_events(2, {}, Random(3));
  REQUIRE(many.count() == 4);
  CHECK(few.momenta == many.momenta.topRows(few.particles()));
  for (std::size_t e = 0; e < 4; ++e) {
    const std::size_t first = many.offsets[e], end = many.offsets[e + 1];
    CHECK(many.sub_events[first] == 0);
    CHECK(many.sub_events[end - 1] > 0);
    for (std::size_t i = first + 1; i < end; ++i) CHECK(many.sub_events[i] >= many.sub_events[i - 1]);
  }
  CHECK(many.momenta.allFinite());
  CHECK_THROWS_AS(simulated::hard_events(0, {}, Random(1)), ArgumentError);
}

TEST_CASE("hadrons of a parton carry its momentum, and a gluon has more of them than a quark", "[coherent_shower]") {
  constexpr Index kPartons = 400;
  double count[2] = {0, 0};
  for (const bool gluon : {false, true})
    for (Index e = 0; e < kPartons; ++e) {
      simulated::EventDraws draws(Random(5), e);
      std::vector<particles::Momentum> made;
      simulated::add_hadrons({100, 0.5, 3, 0}, gluon, {}, draws, made);
      particles::Momentum sum;
      for (const auto& one : made) sum += one;
      count[gluon ? 1 : 0] += static_cast<double>(made.size()) / kPartons;
      // what lies across the parton adds to pT, emissions at large angles take away
      CHECK(std::abs(particles::pt(sum) / 100 - 1) < 0.35);
    }
  CHECK(count[0] > 25);
  CHECK(count[1] > 1.2 * count[0]);
  CHECK(count[1] < 2.25 * count[0]);  // CA / CF, which finite energies do not reach
}

TEST_CASE("soft collisions have the plan's density and mean pT", "[soft_collisions][statistics]") {
  simulated::SoftCollision soft;
  soft.jets = 0;
  soft.k = 8;
  std::vector<particles::Momentum> made;
  simulated::EventDraws draws(Random(6), 0);
  constexpr int kCollisions = 600;
  for (int c = 0; c < kCollisions; ++c) simulated::add_soft_collision(soft, 1, draws, made);
  double central = 0, pt = 0;
  for (const auto& one : made) {
    pt += particles::pt(one) / static_cast<double>(made.size());
    if (std::abs(particles::rapidity(one)) < 2.5) central += 1;
  }
  // the law of clusters has k = 8: 38 % a collision, 1.6 % of 600
  CHECK(std::abs(central / (5 * soft.density * kCollisions) - 1) < 0.06);
  CHECK(std::abs(pt / soft.mean_pt - 1) < 0.02);
  CHECK(support::refusal_of<ArgumentError>([&] {
          simulated::add_soft_collision(soft, 0, draws, made);
        }).starts_with("add_soft_collision: density 10, k 8"));
}

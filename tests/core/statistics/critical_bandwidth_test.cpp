#include "fovea/core/statistics/tests/critical_bandwidth.hpp"

#include "fovea/tests/support/test.hpp"

namespace {

/// n values around `camps` places that are `gap` standard deviations apart.
std::vector<double> humps_of(std::size_t n, std::size_t camps, double gap, const Random& random) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(random.normal(i) + gap * static_cast<double>(i % camps));
  return values;
}

template <typename Draw>
std::size_t times_found(std::size_t wanted, std::uint64_t seed, const Draw& draw) {
  std::size_t found = 0;
  for (std::uint64_t set = 0; set < 40; ++set) {
    const Random random(seed + set);
    found += count_modes(draw(random), random.stream("modes")).count == wanted ? 1 : 0;
  }
  return found;
}

}  // namespace

// Level 0.05, 40 sets each: more than 5 false claims have a chance of 1.4 % at the level; the dip is careful on curved
// tops.
TEST_CASE("one hump is taken for several in no more sets than the level says", "[statistics][modes][long]") {
  CHECK(times_found(1, 500, [](const Random& random) { return humps_of(600, 1, 0, random); }) >= 38);
  CHECK(times_found(1, 600, [](const Random& random) {
          std::vector<double> flat;
          for (std::size_t i = 0; i < 600; ++i) flat.push_back(random.uniform(i));
          return flat;
        }) >= 35);
}

TEST_CASE("humps that are plain are counted, by their places", "[statistics][modes][long]") {
  for (const std::size_t camps : {2U, 3U, 5U}) {
    CAPTURE(camps);
    CHECK(times_found(camps, 700, [&](const Random& random) { return humps_of(600, camps, 6, random); }) >= 38);
  }
  const Modes modes = count_modes(humps_of(900, 3, 6, Random(5)), Random(6));
  REQUIRE(modes.places.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(modes.places[k] - 6 * static_cast<double>(k)) < 0.7);
}

TEST_CASE("camps of equal opinions, consensus, and a few strays are what they are", "[statistics][modes][limit]") {
  std::vector<double> points;
  for (std::size_t i = 0; i < 600; ++i) points.push_back(static_cast<double>(i % 4));
  CHECK(count_modes(points, Random(1)).count == 4);
  const Modes consensus = count_modes(std::vector<double>(50, 0.3), Random(1));
  CHECK(consensus.count == 1);
  CHECK(consensus.places == std::vector<double>{0.3});
  CHECK(count_modes(std::vector<double>{2}, Random(1)).count == 1);
  std::vector<double> strays = humps_of(1000, 1, 0, Random(2));
  strays[3] = strays[4] = 40;  // 0.2 %, below the least share
  CHECK(count_modes(strays, Random(1)).count == 1);
  CHECK_THROWS_WITH(count_modes(std::vector<double>{}, Random(1)),
                    "count_modes: there are no values; give at least one.");
}

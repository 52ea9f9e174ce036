/// Half-lives that the data tell, and those that they do not.

#include "fovea/domains/ehr/decay/half_life_profile.hpp"

#include <iostream>

#include "fovea/datasets/simulated/clinical_events.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::ehr::decay;

namespace {

constexpr double kPlain = std::numeric_limits<double>::infinity();  ///< the half-life of a plain mean
constexpr Index kVariables = 3;

/// Stays of 48 h with 36 values of a, b and c; the outcome depends on a and b through means of this half-life.
DecayData stays_of(double half_life, Index stays, std::uint64_t seed) {
  datasets::simulated::EventPlan plan;
  plan.stays = stays, plan.fewest = plan.most = 36;
  plan.variables = {{.name = "a", .half_life = half_life, .effect = 1.3},
                    {.name = "b", .half_life = half_life, .effect = 0.9},
                    {.name = "c"}};
  return {recency_data(datasets::simulated::made_stays(plan, Random(seed)).stays, 48), 1, {}, {}};
}

/// Of some sets: how often 90 % intervals of a and b hold the truth, and how often something is claimed of c.
struct Coverage {
  int a = 0, b = 0, claims_of_c = 0;
};

Coverage coverage_of(double half_life, Index stays, int sets) {
  Coverage count;
  for (int set = 1; set <= sets; ++set) {
    const auto found = profiled_half_lives(stays_of(half_life, stays, set), 0.9);
    const auto holds = [&](const ProfiledHalfLife& one) {
      return one.claim == HalfLifeClaim::learned && one.low <= half_life && half_life <= one.high ? 1 : 0;
    };
    count.a += holds(found[0]), count.b += holds(found[1]);
    count.claims_of_c += found[2].claim == HalfLifeClaim::learned ? 1 : 0;
  }
  return count;
}

const HalfLifeClaim kNothing = HalfLifeClaim::adds_nothing, kLearned = HalfLifeClaim::learned;

}  // namespace

TEST_CASE("profiles of half-lives hold what is true as often as they say", "[ehr][decay]") {
  constexpr int kSets = 10;
  for (const double half_life : {6.0, 24.0, kPlain}) {
    INFO("half-life " << half_life);
    const Coverage count = coverage_of(half_life, 400, kSets);
    CHECK(count.a + count.b >= 14);  // of 20: fewer come once in 400 times where the level is 90 %
    CHECK(count.claims_of_c <= 2);
  }
}

/// Forty sets of each kind, as domains/ehr/decay/README.md reports them; five minutes.
TEST_CASE("coverage of the profiles, in full", "[.][half_life_coverage]") {
  for (const Index stays : {400, 2000})
    for (const double half_life : {kPlain, 6.0, 24.0}) {
      const Coverage count = coverage_of(half_life, stays, 40);
      std::cout << stays << " stays, half-life " << half_life << ": " << count.a << " and " << count.b
                << " of 40 hold it, " << count.claims_of_c << " claims of what adds nothing\n";
      CHECK((count.a >= 34 && count.a <= 39));
      CHECK((count.b >= 34 && count.b <= 39));
      CHECK(count.claims_of_c <= 5);
    }
}

TEST_CASE("no half-life is claimed where outcomes are drawn by lot", "[ehr][decay]") {
  int claims = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    DecayData data = stays_of(6, 300, seed);
    const Random lot = Random(seed).stream("lot");
    for (std::size_t s = 0; s < data.events.outcomes.size(); ++s)
      data.events.outcomes[s] = lot.uniform(s) < 0.3 ? 1 : 0;
    for (const ProfiledHalfLife& one : profiled_half_lives(data, 0.9)) {
      claims += one.claim == kNothing ? 0 : 1;
      if (one.claim == kNothing) CHECK((std::isnan(one.likely) && std::isnan(one.low) && std::isnan(one.high)));
    }
  }
  CHECK(claims <= 2);
}

TEST_CASE("half-lives count in the unit of the ages, whatever it is", "[ehr][decay]") {
  const DecayData hours = stays_of(6, 600, 3);
  DecayData days = hours;
  for (double& age : days.events.ages) age /= 24;
  days.events.window /= 24;
  const auto in_hours = profiled_half_lives(hours, 0.9), in_days = profiled_half_lives(days, 0.9);
  for (Index v = 0; v < kVariables; ++v) {
    REQUIRE(in_hours[v].claim == in_days[v].claim);
    if (in_hours[v].claim != kLearned) continue;
    CHECK(std::abs(in_hours[v].low / (24 * in_days[v].low) - 1) < 1e-3);
    CHECK(std::abs(in_hours[v].likely / (24 * in_days[v].likely) - 1) < 1e-3);
  }
}

TEST_CASE("what the last value alone tells is open downwards", "[ehr][decay]") {
  const auto found = profiled_half_lives(stays_of(0.05, 600, 5), 0.9);
  REQUIRE(found[0].claim == kLearned);
  CHECK(found[0].low == 0);
  CHECK(found[0].high < 2);
}

TEST_CASE("where older values count more no half-life is claimed", "[ehr][decay]") {
  DecayData data = stays_of(4, 1000, 7);
  for (double& age : data.events.ages) age = 48 - age;  // each stay read backwards
  const auto found = profiled_half_lives(data, 0.9);
  CHECK(found[0].claim == HalfLifeClaim::older_count);
  CHECK(std::isnan(found[0].likely));
}

TEST_CASE("where the values of a stay are alike but for the oldest any half-life fits", "[ehr][decay]") {
  DecayData data = stays_of(kPlain, 400, 2);
  const Random noise = Random(9).stream("noise");
  for (Index s = 0; s < data.events.stays(); ++s) {
    const auto ages = data.events.ages.begin();
    const Index first = data.events.first(s, 0), end = data.events.first(s, 1);
    const Index oldest = std::max_element(ages + first, ages + end) - ages;
    const double alike = static_cast<double>(data.events.outcomes[s]) + 1.5 * noise.normal(2 * s);
    for (Index i = first; i < end; ++i) data.events.values[i] = i == oldest ? noise.normal(2 * s + 1) : alike;
  }
  CHECK(profiled_half_lives(data, 0.9)[0].claim == HalfLifeClaim::any_fits);
}

TEST_CASE("with too few outcomes the variables with the largest scores alone are examined", "[ehr][decay]") {
  DecayData data = stays_of(kPlain, 400, 2);
  Index left = 25;  // 5 for each of 5 parameters: no more than the intercept and two variables
  for (Index& outcome : data.events.outcomes)
    if (outcome == 1 && left-- <= 0) outcome = 0;
  const auto found = profiled_half_lives(data, 0.9);
  CHECK(std::count_if(found.begin(), found.end(),
                      [](const auto& one) { return one.claim == HalfLifeClaim::too_few_cases; }) == 1);
}

TEST_CASE("variables without two values, or all of one value, have no half-life to ask for", "[ehr][decay][limit]") {
  DecayData data = stays_of(kPlain, 300, 4);
  for (Index s = 0; s < data.events.stays(); ++s)
    for (Index i = data.events.first(s, 1); i < data.events.first(s, 2); ++i)
      data.events.ages[i] = 7, data.events.values[i] = static_cast<double>(s % 5);
  for (Index s = 0; s < data.events.stays(); ++s)
    for (Index i = data.events.first(s, 2); i < data.events.first(s, 3); ++i) data.events.values[i] = 3;
  const auto found = profiled_half_lives(data, 0.9);
  CHECK(found[0].claim == kLearned);
  CHECK(found[1].claim == HalfLifeClaim::undated);
  CHECK(found[2].claim == HalfLifeClaim::undated);
  CHECK_THROWS_AS(profiled_half_lives(data, 1), ArgumentError);
}

TEST_CASE("visits of one patient count as what they are together", "[ehr][decay]") {
  const DecayData once = stays_of(6, 400, 6);
  DecayData copied = once;  // each stay four times
  const Index events = once.events.offsets.back();
  for (Index s = 0; s < once.events.stays(); ++s) copied.groups.push_back(s);
  for (int k = 1; k < 4; ++k) {
    for (std::size_t i = 1; i < once.events.offsets.size(); ++i)
      copied.events.offsets.push_back(once.events.offsets[i] + k * events);
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(copied.events.ages, once.events.ages);
    append(copied.events.values, once.events.values);
    append(copied.events.outcomes, once.events.outcomes);
    for (Index s = 0; s < once.events.stays(); ++s) copied.groups.push_back(s);
  }
  const auto alone = profiled_half_lives(once, 0.9), together = profiled_half_lives(copied, 0.9);
  REQUIRE((alone[0].claim == kLearned && together[0].claim == kLearned));
  const auto width = [](const ProfiledHalfLife& one) { return std::log(one.high / one.low); };
  CHECK(std::abs(width(together[0]) / width(alone[0]) - 1) < 0.15);
  copied.groups.clear();
  CHECK(width(profiled_half_lives(copied, 0.9)[0]) < 0.6 * width(together[0]));
}

#include "fovea/core/statistics/profile_interval.hpp"

#include "fovea/tests/support/test.hpp"

TEST_CASE("the profile interval of seven counts is the likelihood interval of a Poisson mean",
          "[statistics][profile]") {
  // mu - 7 log mu, its two roots by SciPy's brentq
  const auto loss = [](double mu) { return mu - 7 * std::log(mu); };
  const ProfileInterval interval = profile_interval(loss, 7, 1e-3, 1000, 2, 0.95, 1e-9);
  CHECK(std::abs(interval.low - 3.007784352634533) < 1e-8);
  CHECK(std::abs(interval.high - 13.537714637698558) < 1e-8);
  CHECK(!interval.low_open);
  CHECK(!interval.high_open);
  CHECK(interval.evaluations < 40);
}

TEST_CASE("a normal likelihood has the interval of its standard error, from any first step", "[statistics][profile]") {
  const auto loss = [](double x) { return (x - 2) * (x - 2) / (2 * 0.25) + 100; };
  for (const double step : {1e-4, 0.5, 40.0}) {
    const ProfileInterval interval = profile_interval(loss, 2, -50, 50, step, 0.9, 1e-10);
    CHECK(std::abs(interval.low - (2 - 0.5 * 1.6448536269514722)) < 1e-9);
    CHECK(std::abs(interval.high - (2 + 0.5 * 1.6448536269514722)) < 1e-9);
  }
}

TEST_CASE("a parameter that is not identified on one side has an open interval there", "[statistics][profile]") {
  const auto flat_above = [](double x) { return x < 0 ? 3 * x * x : 0.1 * (1 - std::exp(-x)); };
  const ProfileInterval interval = profile_interval(flat_above, 0, -10, 5, 0.3, 0.95, 1e-6);
  CHECK(!interval.low_open);
  CHECK((interval.high_open && interval.high == 5));
  const auto wall = [](double x) { return x > 1 ? NAN : x * x; };
  const ProfileInterval at_wall = profile_interval(wall, 0, -10, 10, 0.7, 0.95, 1e-6);
  CHECK(std::abs(at_wall.high - 1) < 1e-6);
  CHECK(!at_wall.high_open);
}

TEST_CASE("a profile interval refuses an estimate outside its limits", "[statistics][profile][errors]") {
  const auto square = [](double x) { return x * x; };
  CHECK_THROWS_WITH(profile_interval(square, 5, -1, 1, 1, 0.95, 1e-6),
                    "profile_interval: the estimate is 5, but must be between -1 and 1.");
  CHECK_THROWS_AS(profile_interval(square, 0, -1, 1, 0, 0.95, 1e-6), ArgumentError);
  CHECK_THROWS_AS(profile_interval(square, 0, -1, 1, 1, 1, 1e-6), ArgumentError);
  CHECK_THROWS_WITH(profile_interval([](double) { return INFINITY; }, 0, -1, 1, 1, 0.9, 1e-6),
                    "profile_interval: the loss at the estimate is inf, but must be finite.");
}

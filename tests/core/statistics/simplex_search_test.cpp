#include "fovea/core/statistics/simplex_search.hpp"

#include "fovea/tests/support/test.hpp"

TEST_CASE("the simplex finds the end of Rosenbrock's valley", "[simplex]") {
  const auto valley = [](const std::vector<double>& x) {
    return 100 * std::pow(x[1] - x[0] * x[0], 2) + std::pow(1 - x[0], 2);
  };
  const SimplexMinimum least = simplex_minimum(valley, {-1.2, 1}, {0.5, 0.5}, 1e-14, 2000);
  CHECK(std::abs(least.at[0] - 1) < 1e-5);  // the square root of the tolerance, times the valley's condition
  CHECK(std::abs(least.at[1] - 1) < 1e-5);
  CHECK(least.evaluations < 400);
}

TEST_CASE("the simplex goes round a forbidden region and keeps to its budget", "[simplex]") {
  int calls = 0;
  const auto bowl = [&](const std::vector<double>& x) {
    ++calls;
    return x[0] < -1 ? std::numeric_limits<double>::infinity() : x[0] * x[0] + x[1] * x[1];
  };
  const SimplexMinimum least = simplex_minimum(bowl, {-0.9, 3}, {-0.5, 1}, 1e-12, 400);
  CHECK(least.value < 1e-10);
  CHECK(calls == least.evaluations);
  const SimplexMinimum hasty = simplex_minimum(bowl, {3, 3}, {1, 1}, 0, 20);
  CHECK(hasty.evaluations < 20 + 4);  // a step takes up to 2 + 2 evaluations
  CHECK_THROWS_AS(simplex_minimum(bowl, {1, 2}, {1}, 1e-9, 10), ArgumentError);
}

#include "fovea/core/statistics/tests/rank_correlation.hpp"

#include "fovea/tests/support/test.hpp"

namespace fovea {
namespace {

TEST_CASE("ranks: equal values share the mean of theirs", "[statistics]") {
  const std::vector<double> values{3, 1, 3, 2, 3};
  CHECK(ranks(values) == std::vector<double>{4, 1, 4, 2, 4});
}

TEST_CASE("rank correlation: 1 for any rising function, -1 for any falling one", "[statistics]") {
  const std::vector<double> x{-2, 0.1, 1, 5, 7};
  std::vector<double> up, down;
  for (const double v : x) up.push_back(std::exp(v)), down.push_back(-v * v * v);
  CHECK(rank_correlation(x, up) == 1);
  CHECK(rank_correlation(x, down) == -1);
}

TEST_CASE("rank correlation: without ties it is 1 - 6 sum d^2 / (n (n^2 - 1))", "[statistics]") {
  const std::vector<double> a{1, 2, 3, 4, 5, 6}, b{2, 1, 4, 3, 6, 5};  // every d = 1
  CHECK(std::abs(rank_correlation(a, b) - (1 - 6.0 * 6 / (6 * 35))) < 1e-15);
}

TEST_CASE("rank correlation: nothing to say of a constant, and refuses NaN", "[statistics]") {
  const std::vector<double> a{1, 2, 3}, same{4, 4, 4}, broken{1, NAN, 2};
  CHECK(std::isnan(rank_correlation(a, same)));
  CHECK_THROWS_AS(rank_correlation(a, broken), ArgumentError);
  CHECK_THROWS_WITH(rank_correlation(a, std::vector<double>{1, 2}),
                    "rank_correlation: 3 and 2 values; both sides must have the same number, at least 2.");
}

}  // namespace
}  // namespace fovea

#include "fovea/core/base/moments.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

constexpr double kLastPlaces = 1e-14;  // a few units in the last place, relative

}  // namespace

TEST_CASE("the normal quantile has the tabulated values", "[statistics][limit]") {
  // Abramowitz and Stegun 1964, table 26.5, and the far tail by 30-digit arithmetic.
  CHECK(std::abs(normal_quantile(0.975) / 1.959963984540054 - 1) < kLastPlaces);
  CHECK(std::abs(normal_quantile(0.9) / 1.2815515655446004 - 1) < kLastPlaces);
  CHECK(std::abs(normal_quantile(1e-10) / -6.361340902404056 - 1) < kLastPlaces);
  CHECK(normal_quantile(0.5) == 0.0);
  CHECK(normal_quantile(0.0) == -std::numeric_limits<double>::infinity());
  CHECK(normal_quantile(1.0) == std::numeric_limits<double>::infinity());
}

TEST_CASE("the normal quantile inverts the distribution function, also in the tails", "[property]") {
  for (double p = 1e-300; p < 0.5; p *= 3.7) {
    CAPTURE(p);
    // d log Phi / dx ~ |x| in the tail, so an error of a few ulp in x shows up to x^2 times larger.
    CHECK(std::abs(normal_cdf(normal_quantile(p)) / p - 1) < 1e-12);
  }
  CHECK(std::abs(normal_quantile(0.75) + normal_quantile(0.25)) < kLastPlaces);
}

TEST_CASE("quantiles of ranks are those of their shares, however many counts are asked for in turn", "[property]") {
  for (int round = 0; round < 2; ++round)
    for (const std::size_t count : {7U, 8U, 9U, 10U, 11U, 12U, 8U, 7U}) {
      const RankQuantiles quantiles(count);
      for (std::size_t twice = 1; twice < 2 * count; ++twice) {
        const double rank = 0.5 * static_cast<double>(twice);
        CHECK(quantiles.at(rank) == normal_quantile(rank / static_cast<double>(count)));
      }
    }
}

TEST_CASE("a probability outside [0, 1] is refused with its value", "[errors]") {
  CHECK_THROWS_WITH(normal_quantile(1.5), "normal_quantile: p = 1.5, but a probability lies in [0, 1].");
  CHECK_THROWS_AS(normal_quantile(std::nan("")), ArgumentError);
}

TEST_CASE("moments of small samples are those worked out by hand", "[statistics]") {
  const Moments m = moments(std::array{1.0, 2.0, 3.0, 6.0});
  CHECK(m.mean == 3.0);
  CHECK(m.variance == 3.5);
  CHECK(std::abs(m.skewness - 4.5 / std::pow(3.5, 1.5)) < kLastPlaces);  // (-8 - 1 + 0 + 27) / 4
  CHECK(std::abs(m.kurtosis - 24.5 / 12.25) < kLastPlaces);              // (16 + 1 + 0 + 81) / 4
  CHECK(std::isnan(moments(std::array{2.0, 2.0}).skewness));
  CHECK_THROWS_AS(moments(std::vector<double>{}), ArgumentError);
}

TEST_CASE("a mean with its error leaves NaN out", "[statistics]") {
  const double nan = std::nan("");
  const MeanWithError both = mean_with_error(std::array{1.0, nan, 3.0});
  CHECK(both.mean == 2.0);
  CHECK(std::abs(both.error - 1.0) < kLastPlaces);  // sample variance 2, over n = 2
  CHECK(both.count == 2);
  CHECK(mean_with_error(std::array{5.0}).error == 0.0);
  CHECK(std::isnan(mean_with_error(std::array{nan}).mean));
}

TEST_CASE("a sorted quantile is linear between order statistics", "[statistics]") {
  const std::array sorted{0.0, 1.0, 3.0};
  CHECK(sorted_quantile(sorted, 0.0) == 0.0);
  CHECK(sorted_quantile(sorted, 0.75) == 2.0);
  CHECK(sorted_quantile(sorted, 1.0) == 3.0);
  CHECK_THROWS_AS(sorted_quantile(sorted, -0.1), ArgumentError);
  CHECK_THROWS_AS(sorted_quantile(std::vector<double>{}, 0.5), ArgumentError);
}

#include "fovea/domains/opinion/measures/weighted.hpp"

#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

constexpr double kPolarizationRounding = 1e-12;

double der(const std::vector<double>& ascending, double alpha, double bandwidth = 0) {
  return measures::der(measures::masses_of(ascending), alpha, bandwidth);
}
double wolfson(const std::vector<double>& ascending) { return measures::wolfson(measures::masses_of(ascending)); }

std::vector<double> even_opinions(std::size_t n, double length = 1) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = length * (static_cast<double>(i) + 0.5) / static_cast<double>(n);
  return values;
}

std::vector<double> normal_opinions(std::size_t n) {
  std::vector<double> values = even_opinions(n);
  for (double& x : values) x = normal_quantile(x);
  return values;
}

/// DER by its double sum.
double plain_der(const std::vector<double>& x, double alpha, double bandwidth) {
  double sum = 0;
  for (const double a : x) {
    double density = 0, distance = 0;
    for (const double b : x) {
      density += std::exp(-0.5 * (a - b) * (a - b) / (bandwidth * bandwidth));
      distance += std::abs(a - b);
    }
    const auto n = static_cast<double>(x.size());
    sum += std::pow(density / (n * bandwidth * std::sqrt(2 * std::numbers::pi)), alpha) * distance / (n * n);
  }
  return sum;
}

double plain_wolfson(const std::vector<double>& x) {
  const std::size_t n = x.size();
  double halves = 0, distances = 0;
  for (std::size_t i = 0; i < n; ++i) {
    halves += 2 * i + 1 < n ? -x[i] : 2 * i + 1 > n ? x[i] : 0;
    for (const double b : x) distances += std::abs(x[i] - b);
  }
  const auto count = static_cast<double>(n);
  return halves / (count / 2) - distances / (count * count);
}

}  // namespace

TEST_CASE("DER of a uniform crowd on the length L is L^(1 - alpha) / 3", "[measures][polarization][limit]") {
  // The kernel blurs the two ends over the bandwidth h: relative errors of some h / L, and 1 / n of the midpoint rule.
  const double bandwidth = 1e-3;
  for (const double length : {1.0, 4.0})
    for (const double alpha : {0.25, 0.5, 1.0})
      CHECK(std::abs(der(even_opinions(2000, length), alpha, bandwidth * length) / (std::pow(length, 1 - alpha) / 3) -
                     1) < 5 * bandwidth);
}

TEST_CASE("DER of a normal crowd is that of the Gaussian integral", "[measures][polarization][limit]") {
  // f^alpha of the blurred density N(0, s^2), s^2 = 1 + h^2, times N(0, 1) is a Gaussian of variance v, and the mean
  // distance of two Gaussians of variances v and 1 is sqrt(2 (1 + v) / pi).
  for (const double alpha : {0.25, 0.5, 1.0}) {
    const double h = 0.05, s2 = 1 + h * h, v = 1 / (1 + alpha / s2);
    const double expected =
        std::pow(2 * std::numbers::pi * s2, -alpha / 2) * std::sqrt(v) * std::sqrt(2 * (1 + v) / std::numbers::pi);
    constexpr double kQuantiles = 2e-3;  // 2000 quantiles lack the tails beyond 3.5 sd
    CHECK(std::abs(der(normal_opinions(2000), alpha, h) / expected - 1) < kQuantiles);
  }
}

TEST_CASE("DER and Wolfson agree with their double sums", "[measures][polarization][twin]") {
  for (const std::size_t n : {2U, 7U, 50U, 301U}) {
    std::vector<double> x;
    for (std::size_t i = 0; i < n; ++i) x.push_back(5 + Random(21).normal(i) + (i % 3 == 0 ? 3 : 0));
    std::sort(x.begin(), x.end());
    for (const double alpha : {0.25, 1.0})
      CHECK(std::abs(der(x, alpha, 0.3) / plain_der(x, alpha, 0.3) - 1) < kPolarizationRounding);
    CHECK(std::abs(wolfson(x) - plain_wolfson(x)) < kPolarizationRounding);
  }
}

TEST_CASE("DER chooses a bandwidth by the rule, and is 0 where all agree", "[measures][polarization]") {
  CHECK(std::abs(measures::der_bandwidth(2, 100, 1) - 0.94) < kPolarizationRounding);
  CHECK(std::abs(measures::der_bandwidth(1, 400, 0.25) - 4.7 / 20 * std::pow(0.25, 0.1)) < kPolarizationRounding);
  const std::vector<double> x = even_opinions(100);
  const double sd = std::sqrt((1 - 1e-4) / 12);
  CHECK(std::abs(der(x, 0.5) - der(x, 0.5, measures::der_bandwidth(sd, 100, 0.5))) < kPolarizationRounding);
  CHECK(der(std::vector<double>{0.4, 0.4, 0.4}, 0.5) == 0);
}

TEST_CASE("Wolfson of two halves at distance d is d / 2, of a uniform crowd on the length L L / 6",
          "[measures][polarization][limit]") {
  CHECK(wolfson(std::vector<double>{-1, 1}) == 1);
  CHECK(wolfson(std::vector<double>{2, 2, 2, 5, 5, 5}) == 1.5);
  CHECK(wolfson(std::vector<double>{3}) == 0);
  CHECK(wolfson(std::vector<double>{3, 3, 3}) == 0);
  constexpr double kMidpoints = 1e-6;  // 1000 midpoints: 1 / n^2
  CHECK(std::abs(wolfson(even_opinions(1000, 3)) - 0.5) < kMidpoints);
  // The index itself of uniform incomes on [0, 1]: median 1/2, L(1/2) = 1/4, Gini 1/3, so 4 (1/2 - 1/4 - 1/6) = 1/3.
  CHECK(std::abs(wolfson(even_opinions(1000)) / 0.5 - 1.0 / 3) < kMidpoints);
}

TEST_CASE("agreement is 1 for one category, 0 for an even spread and -1 for two opposite halves",
          "[measures][polarization][limit]") {
  using Counts = std::vector<double>;
  for (const std::size_t categories : {3U, 5U, 7U, 10U}) {
    Counts even(categories, 4), ends(categories, 0);
    ends.front() = ends.back() = 9;
    CHECK(std::abs(measures::agreement(even)) < kPolarizationRounding);
    CHECK(std::abs(measures::agreement(ends) + 1) < kPolarizationRounding);
    for (std::size_t only = 0; only < categories; ++only) {
      Counts one(categories, 0);
      one[only] = 6;
      CHECK(measures::agreement(one) == 1);
    }
  }
  CHECK(measures::agreement(Counts{0, 5, 5, 5, 0}) == 0.5);  // one hump of 3 of 5 categories: 1 - 2/4
  // Layers of 30 35 10 25 0, worked out by hand: 1111 with 10 each, 1101 with 15, 11 with 5 and 10, 01 with 5.
  // 11110 is one hump of 4 of 5. 11010: of the triples 4 are full-full-empty or empty-full-full and 2 full-empty-full.
  const double full = 0.25, gap = (3.0 * 4 - 4.0 * 2) / (3.0 * 6) * 0.5, pair = 0.75, single = 1;
  CHECK(std::abs(measures::agreement(Counts{30, 35, 10, 25, 0}) -
                 (40 * full + 45 * gap + 10 * pair + 5 * single) / 100) < kPolarizationRounding);
  constexpr double kSevenDigits = 5e-8;  // the example in the manual of the R package agrmt
  CHECK(std::abs(measures::agreement(Counts{30, 40, 210, 130, 530, 50, 10}) - 0.6113333) < kSevenDigits);
  CHECK(measures::agreement(Counts{0, 25, 10, 35, 30}) == measures::agreement(Counts{30, 35, 10, 25, 0}));
}

TEST_CASE("opinions fall into categories of equal width, and those beyond the scale into the last",
          "[measures][polarization]") {
  const std::vector<double> x{-7, -1, -0.61, -0.59, 0, 0.19, 0.21, 0.99, 1, 7};
  CHECK(measures::LineSettings().held_in(5, measures::masses_of(x)) == std::vector<double>{3, 1, 2, 1, 3});
}

TEST_CASE("measures of a distribution refuse what they are not defined for", "[measures][polarization][errors]") {
  const std::vector<double> x{1, 2}, turned_round{2, 1};
  CHECK_THROWS_WITH(der(x, 0.1), "der: alpha = 0.1, but must be in [0.25, 1].");
  CHECK_THROWS_WITH(measures::masses_of(turned_round), "masses: 1 comes after 2; add the values in ascending order.");
  CHECK_THROWS_AS(measures::agreement(std::vector<double>{1, 1}), ArgumentError);
  CHECK_THROWS_AS(measures::agreement(std::vector<double>{1, -1, 3}), ArgumentError);
  CHECK_THROWS_AS(measures::agreement(std::vector<double>{0, 0, 0}), ArgumentError);
  CHECK_THROWS_AS((measures::LineSettings{.scale_low = 1}.held_in(5, measures::masses_of(x))), ArgumentError);
}

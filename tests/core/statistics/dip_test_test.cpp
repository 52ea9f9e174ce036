#include "fovea/core/statistics/tests/dip_test.hpp"

#include "fovea/core/base/ordering.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

constexpr double kDipRounding = 1e-12;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct PlainSteps {
  std::vector<double> x, below, above;
};

PlainSteps plain_steps(const std::vector<double>& values) {
  PlainSteps steps;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0 && values[i] == values[i - 1]) steps.x.pop_back(), steps.below.pop_back(), steps.above.pop_back();
    const auto first = std::lower_bound(values.begin(), values.end(), values[i]) - values.begin();
    steps.x.push_back(values[i]);
    steps.below.push_back(static_cast<double>(first) / static_cast<double>(values.size()));
    steps.above.push_back(static_cast<double>(i + 1) / static_cast<double>(values.size()));
  }
  return steps;
}

/// The least height that a convex function inside the band F -+ d must have just left of step m; infinity if there is
/// none. Every line through an upper bound i and a lower bound j > i is below it further on.
double least_left(const PlainSteps& s, std::size_t m, double d) {
  double least = 0;
  for (std::size_t j = 0; j < m; ++j) {
    least = std::max(least, s.above[j] - d);
    for (std::size_t i = 0; i < j; ++i) {
      const double slope = (s.above[j] - d - (s.below[i] + d)) / (s.x[j] - s.x[i]);
      for (std::size_t k = j + 1; k < m; ++k)
        if (s.above[j] - d + slope * (s.x[k] - s.x[j]) > s.below[k] + d + kDipRounding) return kInfinite;
      least = std::max(least, s.above[j] - d + slope * (s.x[m] - s.x[j]));
    }
  }
  for (std::size_t j = 0; j < m; ++j)  // it never falls
    for (std::size_t k = j; k < m; ++k)
      if (s.above[j] - d > s.below[k] + d + kDipRounding) return kInfinite;
  return least <= s.below[m] + d + kDipRounding ? least : kInfinite;
}

PlainSteps turned(const PlainSteps& s) {
  PlainSteps t;
  for (std::size_t k = s.x.size(); k-- > 0;) {
    t.x.push_back(-s.x[k]);
    t.below.push_back(1 - s.above[k]);
    t.above.push_back(1 - s.below[k]);
  }
  return t;
}

/// Whether some unimodal function lies within d of F: by the definition, for each mode.
bool some_unimodal_within(const PlainSteps& s, double d) {
  const PlainSteps t = turned(s);
  for (std::size_t m = 0; m < s.x.size(); ++m)
    if (least_left(s, m, d) + least_left(t, s.x.size() - 1 - m, d) <= 1 + kDipRounding) return true;
  return false;
}

/// The plain twin: halving, O(n^4) a step.
double plain_dip(const std::vector<double>& values) {
  const PlainSteps steps = plain_steps(values);
  double low = 0, high = 0.5;
  for (int halving = 0; halving < 40; ++halving) {
    const double middle = 0.5 * (low + high);
    (some_unimodal_within(steps, middle) ? high : low) = middle;
  }
  return high;
}

std::vector<double> even_grid(std::size_t n) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(i);
  return values;
}

}  // namespace

TEST_CASE("the dip of two equal halves is 1/4, of an even grid 1/(2n) and of one value 0", "[statistics][dip]") {
  CHECK(dip(std::vector<double>{-1, 1}) == 0.25);
  CHECK(dip(std::vector<double>{-1, -1, -1, 1, 1, 1}) == 0.25);
  for (const std::size_t n : {3U, 10U, 1000U})
    CHECK(std::abs(dip(even_grid(n)) - 0.5 / static_cast<double>(n)) < kDipRounding);
  CHECK(dip(std::vector<double>{0.3, 0.3, 0.3}) == 0);
  CHECK(dip(std::vector<double>{-1, 0, 0, 0, 0, 0, 0, 0, 0, 2}) == 0.05);  // a jump at the mode costs nothing
  std::vector<double> normal(5000);
  for (std::size_t i = 0; i < normal.size(); ++i) normal[i] = normal_quantile((static_cast<double>(i) + 0.5) / 5000);
  CHECK(std::abs(dip(normal) - 0.5 / 5000) < kDipRounding);  // one hump: every step is as near as can be
}

TEST_CASE("two uniform camps of width a at the ends of [0, 1] have the dip (1 - 2a) / (4 (1 - a))",
          "[statistics][dip][limit]") {
  // Behind a mode in the lower camp G is concave: its slope 1/2 - 2D over a in the higher camp is the least in the gap,
  // where it may rise by 2D.
  const std::size_t half = 10000;
  for (const double a : {0.05, 0.25, 0.4}) {
    std::vector<double> values;
    for (std::size_t i = 0; i < 2 * half; ++i)
      values.push_back(a * (static_cast<double>(i % half) + 0.5) / half + (i < half ? 0 : 1 - a));
    CHECK(std::abs(dip(values) - (1 - 2 * a) / (4 * (1 - a))) < 1.0 / half);  // a step is 1 / (2 half)
  }
}

TEST_CASE("the dip agrees with its definition, tried out mode by mode", "[statistics][dip][twin]") {
  const Random random(11);
  for (std::uint64_t round = 0; round < 300; ++round) {
    const std::size_t n = 2 + random.below(9, 0, round);
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double u = random.uniform(i + 1, round);
      values[i] = round % 3 == 0 ? std::floor(6 * u) : round % 3 == 1 ? u : u + (u > 0.5 ? 3 : 0);
    }
    std::sort(values.begin(), values.end());
    INFO("round " << round << ", n = " << n);
    CHECK(std::abs(dip(values) - plain_dip(values)) < kDipRounding * 10);  // halving ends at 1e-12
  }
}

TEST_CASE("the dip does not change under shifts, stretches and reflection", "[statistics][dip][property]") {
  const Random random(12);
  std::vector<double> values(400), moved(400), turned_round(400);
  for (std::size_t i = 0; i < 400; ++i) values[i] = random.normal(i) + (i % 2 == 0 ? 2 : -2);
  for (std::size_t i = 0; i < 400; ++i) moved[i] = 3 + 0.125 * values[i], turned_round[i] = -values[i];
  for (auto* sample : {&values, &moved, &turned_round}) std::sort(sample->begin(), sample->end());
  CHECK(std::abs(dip(values) - dip(moved)) < kDipRounding);
  CHECK(std::abs(dip(values) - dip(turned_round)) < kDipRounding);
}

TEST_CASE("the dip test finds two camps and leaves a uniform crowd alone", "[statistics][dip]") {
  const Random random(13);
  std::vector<double> uniform(200), camps(200);
  for (std::size_t i = 0; i < 200; ++i) {
    uniform[i] = random.uniform(i, 7);
    camps[i] = random.normal(i, 8) + (i % 2 == 0 ? 2.5 : -2.5);
  }
  std::sort(uniform.begin(), uniform.end());
  std::sort(camps.begin(), camps.end());
  CHECK(dip_p_value(dip(uniform), 200, random.stream("p"), 199) > 0.05);
  CHECK(dip_p_value(dip(camps), 200, random.stream("p"), 199) == 1.0 / 200);
  CHECK(dip_p_value(dip(uniform), 200, random.stream("p"), 199) ==
        dip_p_value(dip(uniform), 200, random.stream("p"), 199));
}

TEST_CASE("p-values of uniform samples are themselves uniform", "[statistics][dip]") {
  // 100 samples of 30, level 5 %: 16 or more below 10 % have the probability 0.04; the seed is fixed.
  const Random random(14);
  int below_tenth = 0;
  for (std::uint64_t sample = 0; sample < 100; ++sample) {
    std::vector<double> values(30);
    for (std::size_t i = 0; i < 30; ++i) values[i] = random.uniform(i, sample);
    std::sort(values.begin(), values.end());
    below_tenth += dip_p_value(dip(values), 30, random.stream("p"), 199) <= 0.1 ? 1 : 0;
  }
  CHECK(below_tenth >= 4);
  CHECK(below_tenth <= 16);
}

TEST_CASE("the dip refuses what has no order", "[statistics][dip][errors]") {
  CHECK_THROWS_AS(dip(std::vector<double>{}), ArgumentError);
  CHECK_THROWS_WITH(dip(std::vector<double>{2, 1}), "dip: value 1 does not ascend; sort the values first.");
  CHECK_THROWS_AS(dip(std::vector<double>{0, std::nan("")}), ArgumentError);
  CHECK_THROWS_AS(dip_p_value(0.1, 1, Random(1)), ArgumentError);
}

TEST_CASE("the order of many numbers is that of std::sort, and ties keep their places", "[statistics][twin]") {
  const Random random(15);
  for (const std::size_t n : {0U, 1U, 2U, 100U, 5000U, 25000U}) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double draw = random.normal(i) * std::pow(10.0, static_cast<double>(random.below(40, i, 1)) - 20);
      values[i] = i % 5 == 0 ? std::floor(random.normal(i, 2)) : draw;
    }
    for (std::size_t i = 0; i < n; i += 3) values[i] = 1 + 1e-13 * random.normal(i, 3);  // alike in their first digits
    if (n > 99) values[3] = -0.0, values[7] = 0.0, values[9] = -kInfinite, values[11] = kInfinite;
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    CHECK(ascending(values) == sorted);
    std::vector<std::uint32_t> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<std::uint32_t>(i);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] < values[b]; });
    CHECK(ascending_order(values) == order);
  }
  CHECK_THROWS_AS(ascending(std::vector<double>{1, std::nan("")}), ArgumentError);
}

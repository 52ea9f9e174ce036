#include "fovea/domains/opinion/measures/measures.hpp"

#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/domains/opinion/dynamics/hearing.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

constexpr double kMeasuresRounding = 1e-12;

Matrix<double> opinion_column(const std::vector<double>& values) {
  return Eigen::Map<const Matrix<double>>(values.data(), static_cast<Index>(values.size()), 1);
}

/// n midpoints of [0, 1]: variance (1 - 1/n^2) / 12, bimodality 5/9 up to 1/n^2.
Matrix<double> even(Index n) {
  Matrix<double> x(n, 1);
  for (Index i = 0; i < n; ++i) x(i, 0) = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
  return x;
}

Matrix<double> gaussian(Index n) {
  Matrix<double> x = even(n);
  for (Index i = 0; i < n; ++i) x(i, 0) = normal_quantile(x(i, 0));
  return x;
}

constexpr double kContinuum = 1e-5;  // 1000 points for the interval: errors of 1/n^2 times a few
constexpr double kTails = 2e-3;      // 1e5 quantiles end at 4.4 sd: the fourth moment lacks some 1e-3

}  // namespace

TEST_CASE("two equal points at -1 and 1 have variance 1, bimodality 1 and Esteban-Ray 4 (1/2)^(2 + alpha)",
          "[measures]") {
  const Matrix<double> x = opinion_column({-1, 1, -1, 1, 1, -1});
  CHECK(measures::variance(x) == 1.0);
  CHECK(std::abs(measures::bimodality(x) - 1) < kMeasuresRounding);
  const measures::Camps camps = measures::find_camps(x, 0.5);
  CHECK(camps.sizes == std::vector<Index>{3, 3});
  CHECK(camps.camp == std::vector<Index>{0, 1, 0, 1, 1, 0});
  CHECK(measures::camp_distance(camps) == 2.0);
  for (const double alpha : {0.0, 1.0, 1.3})
    CHECK(std::abs(measures::esteban_ray(camps, alpha) - 2 * std::pow(0.5, 2 + alpha) * 2) < kMeasuresRounding);
}

TEST_CASE("a uniform crowd has variance 1/12 and bimodality 5/9, a normal one 1/3", "[measures][limit]") {
  CHECK(std::abs(measures::variance(even(1000)) - 1.0 / 12) < kContinuum);
  CHECK(std::abs(measures::bimodality(even(1000)) - 5.0 / 9) < kContinuum);
  CHECK(std::abs(measures::bimodality(gaussian(100000)) - 1.0 / 3) < kTails);
  CHECK(std::isnan(measures::bimodality(opinion_column({0.3, 0.3, 0.3}))));
  CHECK(std::isnan(measures::bimodality(opinion_column({0.3, 0.3, std::nextafter(0.3, 1)}))));
}

TEST_CASE("bimodality looks along the principal axis, whatever way it points", "[measures][property]") {
  Matrix<double> x(4, 2);
  x << 3, 4, -3, -4, 3.0, 4.0, -3.0, -4.0;
  CHECK(std::abs(measures::bimodality(x) - 1) < kMeasuresRounding);
  CHECK(measures::variance(x) == 12.5);  // (9 + 16) / 2 for each component
  CHECK(std::abs(measures::principal_positions(x)[0] - 5) < kMeasuresRounding);
}

TEST_CASE("camps are chains of near agents, numbered by size and then by their first agent", "[measures]") {
  const measures::Camps camps = measures::find_camps(opinion_column({0.0, 5.0, 0.09, 5.05, 0.18, 9.0}), 0.1);
  CHECK(camps.camp == std::vector<Index>{0, 1, 0, 1, 0, 2});
  CHECK(camps.sizes == std::vector<Index>{3, 2, 1});
  CHECK(std::abs(camps.centres(0, 0) - 0.09) < kMeasuresRounding);
  CHECK(camps.at_least(0.3) == 2);
  CHECK(camps.at_least(0.01) == 3);
  CHECK(std::abs(measures::nearest_camps(camps) - (9.0 - 5.025)) < kMeasuresRounding);
  CHECK(measures::nearest_camps(measures::find_camps(opinion_column({1.0, 1.0}), 0.1)) == 0.0);
  CHECK(measures::camp_distance(measures::find_camps(opinion_column({1.0, 1.0}), 0.1)) == 0.0);
  CHECK(measures::esteban_ray(measures::find_camps(opinion_column({1.0, 1.0}), 0.1), 1.3) == 0.0);
}

TEST_CASE("camps in space agree with camps on a line when all lies on one", "[measures][twin]") {
  const Random random(7);
  Matrix<double> line(200, 1), space(200, 3);
  for (Index i = 0; i < 200; ++i) {
    line(i, 0) = random.uniform(static_cast<std::uint64_t>(i));
    space.row(i) << line(i, 0) / 3, 2 * line(i, 0) / 3, -2 * line(i, 0) / 3;  // a unit vector
  }
  const measures::Camps flat = measures::find_camps(line, 0.013), deep = measures::find_camps(space, 0.013);
  CHECK(flat.sizes.size() > 3);
  CHECK(flat.camp == deep.camp);
  CHECK(std::abs(measures::esteban_ray(flat, 1.3) - measures::esteban_ray(deep, 1.3)) < kMeasuresRounding);
}

TEST_CASE("camps in two and three dimensions are those of all pairs of agents", "[measures][twin]") {
  for (const Index components : {2, 3})
    for (const double gap : {0.02, 0.07, 0.2, 5.0}) {
      Matrix<double> x(300, components), raised(300, 4);
      for (Index i = 0; i < x.size(); ++i) x.data()[i] = 3 * Random(9).normal(static_cast<std::uint64_t>(i)) / 10 - 1;
      raised.setZero();
      raised.leftCols(components) = x;  // four components are flooded pair by pair
      const measures::Camps cells = measures::find_camps(x, gap), pairs = measures::find_camps(raised, gap);
      CHECK(cells.camp == pairs.camp);
      CHECK(cells.sizes == pairs.sizes);
    }
}

TEST_CASE("Esteban-Ray and the nearest of many camps on the line are those of all pairs", "[measures][twin]") {
  Matrix<double> line(900, 1), plane = Matrix<double>::Zero(900, 2);
  for (Index i = 0; i < 900; ++i)
    line(i, 0) = 40 * Random(10).normal(static_cast<std::uint64_t>(i)) + (i % 2 == 0 ? 100 : 0);
  plane.col(0) = line;
  const measures::Camps many = measures::find_camps(line, 0.1), pairs = measures::find_camps(plane, 0.1);
  REQUIRE(many.sizes.size() > 300);
  CHECK(many.camp == pairs.camp);
  for (const double alpha : {0.0, 1.3})
    CHECK(std::abs(measures::esteban_ray(many, alpha) / measures::esteban_ray(pairs, alpha) - 1) < kMeasuresRounding);
  CHECK(std::abs(measures::nearest_camps(many) - measures::nearest_camps(pairs)) < kMeasuresRounding);
}

TEST_CASE("the echo chamber index of two pairs is the weight that stays at home beyond random mixing", "[measures]") {
  const Matrix<double> x = opinion_column({-0.5, -0.5, 0.5, 0.5});
  dynamics::HearingRule rule;
  rule.temperature = 0.25;
  const AttentionSpec<double> spec = dynamics::attention_spec(rule, nullptr);
  const AttentionResult<double> forward = attend<double>(x, x, x, spec);
  const double a = std::exp(-2.0);  // d^2 / 2T = 2
  const double index = measures::echo_chamber_index(x, spec, forward, measures::find_camps(x, 0.1));
  CHECK(std::abs(index - (1 / (1 + a) - 0.5) / 0.5) < kMeasuresRounding);
  CHECK(measures::echo_chamber_index(x, spec, forward, measures::find_camps(x, 2.0)) == 0);  // consensus is no chamber
  rule.temperature = 1e12;  // everybody attends to all alike
  const AttentionSpec<double> alike = dynamics::attention_spec(rule, nullptr);
  const double mixed =
      measures::echo_chamber_index(x, alike, attend<double>(x, x, x, alike), measures::find_camps(x, 0.1));
  CHECK(std::abs(mixed) < 1e-11);  // d^2 / 2T = 5e-13
}

TEST_CASE("agents are grouped by rank, equal parts, ties by number", "[measures]") {
  CHECK(measures::rank_groups(opinion_column({3, 1, 2, 2}), 2) == std::vector<Index>{1, 0, 0, 1});
  CHECK(measures::rank_groups(opinion_column({3, 1, 2}), 3) == std::vector<Index>{2, 0, 1});
  CHECK_THROWS_WITH(measures::rank_groups(opinion_column({3, 1}), 3),
                    "rank_groups: groups = 3, but must be in [1, 2], the number of agents.");
}

TEST_CASE("measures refuse what they are not defined for", "[measures][errors]") {
  CHECK_THROWS_AS(measures::variance(Matrix<double>(0, 1)), ArgumentError);
  CHECK_THROWS_AS(measures::principal_positions(Matrix<double>(0, 1)), ArgumentError);
  CHECK_THROWS_WITH(measures::find_camps(opinion_column({1}), 0.0), "find_camps: gap = 0, but must be > 0.");
  CHECK_THROWS_AS(measures::esteban_ray(measures::find_camps(opinion_column({1}), 1.0), 2.0), ArgumentError);
}

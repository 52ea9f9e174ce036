#include "fovea/domains/lag/effects/effects.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/lag/effects/lag_interval.hpp"
#include "fovea/domains/lag/experiments.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;

namespace {

methods::Link significant(Index cause, Index effect, Index lag) {
  methods::Link link{cause, effect, lag};
  link.counts = true;
  return link;
}

/// x -> y after 2 and 3 steps, with slopes 3 and -1 and noise of deviation 2, or where `uneven` as large as x was 2
/// steps ago.
datasets::series::SeriesTable driven(Index steps, std::uint64_t seed, bool uneven = false) {
  const Random random(seed);
  datasets::series::SeriesTable table;
  table.names = {"x", "y"};
  table.values.resize(steps, 2);
  double x = 0;
  for (Index t = 0; t < steps; ++t) {
    x = 0.6 * x + random.normal(static_cast<std::uint64_t>(t), 0);
    table.values(t, 0) = x;
    const auto past = [&](Index lag) { return t >= lag ? table.values(t - lag, 0) : 0; };
    const double size = uneven ? 2 * std::abs(past(2)) : 2;
    table.values(t, 1) = 100 + 3 * past(2) - past(3) + size * random.normal(static_cast<std::uint64_t>(t), 1);
  }
  return table;
}

methods::LagSettings up_to(Index longest) {
  methods::LagSettings settings;
  settings.lags.clear();
  for (Index lag = 1; lag <= longest; ++lag) settings.lags.push_back(lag);
  return settings;
}

bool holds(const effects::Estimate& estimate, double truth) { return estimate.low < truth && truth < estimate.high; }

}  // namespace

TEST_CASE("effects are in the series' own units, and their intervals hold the truth as often as they say",
          "[lag][statistics]") {
  // 200 tables: at a true rate of .95 fewer than 177 or more than 199 hold with a probability below .001. The noise
  // is largest where the cause is: intervals of equal variances would hold the first effect in three of four.
  constexpr int kTables = 200;
  int late = 0, early = 0, sums = 0;
  const std::vector<methods::Link> links{significant(0, 1, 2), significant(0, 1, 3)};
  for (int k = 0; k < kTables; ++k) {
    const datasets::series::SeriesTable table = driven(300, 100 + static_cast<std::uint64_t>(k), true);
    const effects::Effects found = effects::effects_of(table, up_to(4), links, Random(1));
    early += holds(found.of(links[0]).effect, 3);
    late += holds(found.of(links[1]).effect, -1);
    sums += holds(found.of(links[0]).total, 2);
  }
  for (const int count : {early, late, sums}) {
    CHECK(count >= 177);
    CHECK(count <= 199);
  }
}

TEST_CASE("the long-run covariance is the Bartlett sum over pairs of rows of one recording", "[lag][twin]") {
  effects::Design design;
  design.times = {0, 1, 2, 4, 5, 9, 20, 21};
  design.recording = {0, 0, 0, 0, 0, 0, 1, 1};
  const Random random(3);
  Eigen::MatrixXd scores(8, 2);
  for (Index r = 0; r < 8; ++r)
    for (Index c = 0; c < 2; ++c)
      scores(r, c) = random.normal(static_cast<std::uint64_t>(r), static_cast<std::uint64_t>(c));
  const Index bandwidth = 3;
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(2, 2);
  for (std::size_t s = 0; s < 8; ++s)
    for (std::size_t t = 0; t < 8; ++t) {
      const Index apart = std::abs(design.times[s] - design.times[t]);
      if (design.recording[s] != design.recording[t] || apart > bandwidth) continue;
      expected += (1 - static_cast<double>(apart) / static_cast<double>(bandwidth + 1)) *
                  scores.row(static_cast<Index>(s)).transpose() * scores.row(static_cast<Index>(t));
    }
  const double error = (effects::long_run_covariance(scores, design, bandwidth) - expected).cwiseAbs().maxCoeff();
  CHECK(error < 1e-12);  // rounding of sums of 8 products
}

TEST_CASE("a sharp lag has a narrow interval, that of a smooth cause a wide one that holds the lag", "[lag]") {
  const std::vector<methods::Link> links{significant(0, 1, 2)};
  const effects::Effects sharp = effects::effects_of(driven(400, 5), up_to(6), links, Random(1));
  CHECK(sharp.of(links[0]).lag.low == 2);
  CHECK(sharp.of(links[0]).lag.high == 2);
  datasets::series::SeriesTable table = driven(400, 5);
  const Random random(8);
  double fast = 0, slow = 0;
  for (Index t = 0; t < 400; ++t) {  // twice smoothed
    fast = 0.9 * fast + random.normal(static_cast<std::uint64_t>(t), 0);
    slow = 0.9 * slow + fast;
    table.values(t, 0) = slow;
    table.values(t, 1) =
        (t >= 3 ? 0.2 * table.values(t - 3, 0) : 0) + 10 * random.normal(static_cast<std::uint64_t>(t), 1);
  }
  const std::vector<methods::Link> smooth{significant(0, 1, 3)};
  const effects::Estimate lag = effects::effects_of(table, up_to(6), smooth, Random(1)).of(smooth[0]).lag;
  CHECK(lag.low <= 3);
  CHECK(lag.high >= 3);
  CHECK(lag.high - lag.low >= 2);
}

TEST_CASE("a response follows every way through the links, and its band holds it", "[lag]") {
  effects::Effects chain;  // x -> y after 1 by 2, y -> z after 2 by .5
  chain.skill = {kNan, 0, 0};
  chain.models = {{1, {{0, 1}}, {2}, Matrix<double>::Constant(1, 1, 0.01)},
                  {2, {{1, 2}}, {0.5}, Matrix<double>::Constant(1, 1, 0)}};
  const std::vector<methods::Link> pairs{significant(0, 2, 3)};
  const std::vector<effects::Response> found = effects::responses_of(chain, pairs, 5, Random(1));
  CHECK(found[0].mean == std::vector<double>{0, 0, 0, 1, 0, 0});
  // The slope of x -> y has the error .1, so that of the way through both .05; 100 draws know it to 7 %.
  CHECK(std::abs(found[0].high[3] - 1 - 1.96 * 0.05) < 0.03);
  CHECK(found[0].high[2] == 0);
}

TEST_CASE("forecast skill is what the causes add out of sample, and nothing where they do nothing", "[lag]") {
  const datasets::series::SeriesTable table = driven(2000, 9);
  const std::vector<methods::Link> links{significant(0, 1, 2), significant(0, 1, 3)};
  // Var y = 3 x(t - 2) - x(t - 3) of variance (10 - 6 * .6) / .64 = 10, and 4: the own past tells little of it.
  const double skill = effects::effects_of(table, up_to(4), links, Random(1)).skill[1];
  CHECK(skill > 0.55);
  CHECK(skill < 0.72);
  const std::vector<methods::Link> wrong{significant(1, 0, 2)};
  CHECK(std::abs(effects::effects_of(table, up_to(4), wrong, Random(1)).skill[0]) < 0.02);
}

TEST_CASE("a response is called bent where the square of the cause tells more than the cause", "[lag]") {
  datasets::series::SeriesTable table = driven(400, 11);
  const std::vector<methods::Link> links{significant(0, 1, 2)};
  CHECK_FALSE(effects::effects_of(table, up_to(3), links, Random(1)).of(links[0]).bent);
  for (Index t = 2; t < 400; ++t)
    table.values(t, 1) += 4 * std::pow(table.values(t - 2, 0), 2) - 3 * table.values(t - 2, 0);
  CHECK(effects::effects_of(table, up_to(3), links, Random(1)).of(links[0]).bent);
}

TEST_CASE("links without direction, too few rows and conditions that say the same leave no effect but no error",
          "[lag][limit]") {
  const datasets::series::SeriesTable table = driven(300, 12);
  methods::Link together = significant(0, 1, 0);
  together.directed = false;
  CHECK(std::isnan(effects::effects_of(table, up_to(3), {together}, Random(1)).of(together).effect.size));
  datasets::series::SeriesTable few = table;
  few.values.conservativeResize(15, 2);
  const std::vector<methods::Link> links{significant(0, 1, 2)};
  CHECK(std::isnan(effects::effects_of(few, up_to(3), links, Random(1)).of(links[0]).effect.size));
  methods::LagSettings settings = up_to(3);
  settings.conditions = Matrix<double>::Ones(300, 2);
  const effects::Effects same = effects::effects_of(table, settings, links, Random(1));
  const effects::Effects without = effects::effects_of(table, up_to(3), links, Random(1));
  CHECK(std::abs(same.of(links[0]).effect.size - without.of(links[0]).effect.size) < 1e-9);
}

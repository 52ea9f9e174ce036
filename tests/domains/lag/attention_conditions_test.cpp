/// What the tests of the attention over the past are given: conditions that are lost make false links.

#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "fovea/domains/lag/attention/links.hpp"
#include "fovea/tests/domains/lag/small_tables.hpp"
#include "fovea/tests/support/kinds/lagged_system.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;

TEST_CASE("A factor that does not dominate is held fixed, and links are found beside it", "[attention_links]") {
  support::kinds::SystemKind kind;
  kind.series = 12;
  kind.links = 10;
  kind.longest_lag = 3;
  kind.weakest = 0.3;
  kind.strongest = 0.5;
  kind.least_memory = 0;
  kind.most_memory = 0.3;
  const support::kinds::SimulatedSystem drawn = support::kinds::draw_and_simulate(kind, 500, Random(601));
  Matrix<double> values = drawn.values;
  double factor = 0;
  const Random random(602);
  for (Index t = 0; t < values.rows(); ++t) {
    factor = 0.5 * factor + random.normal(0, static_cast<std::uint64_t>(t));
    values.row(t).array() += 0.7 * factor;
  }
  const attention::AttentionFindings found =
      attention::attend_to_the_past(small::table_of(values), small::lags_up_to(3));
  REQUIRE(found.hidden.found);
  CHECK(found.hidden.given);
  std::set<std::tuple<Index, Index, Index>> truth;
  for (const support::kinds::SystemLink& link : drawn.system.links) truth.emplace(link.cause, link.effect, link.lag);
  std::size_t all = 0, right = 0;
  for (const methods::Link& link : methods::counting_links(found.findings)) {
    if (link.self()) continue;
    ++all;
    right += truth.contains({link.cause, link.effect, link.lag}) ? 1U : 0U;
  }
  CHECK(2 * static_cast<double>(right) > 0.7 * static_cast<double>(all + truth.size()));  // F1
}

TEST_CASE("A condition whose outliers are pulled in too is not lost beside its twin", "[attention_links]") {
  // Flows with errors in proportion: a few floods are outliers, so that the plain and the pulled value are both chosen.
  const Random random(603);
  const Index steps = 1000;
  Matrix<double> values(steps, 3);
  Vector<double> log_flow(steps);
  for (Index t = 0; t < steps; ++t) {
    const auto noise = [&](std::uint64_t k) { return random.normal(k, static_cast<std::uint64_t>(t)); };
    log_flow[t] = (t > 0 ? 0.6 * log_flow[t - 1] : 0) + 0.9 * noise(0);
    values(t, 0) = 10 * std::exp(log_flow[t]);
    values(t, 1) = t < 2 ? 8 : (0.8 * values(t - 2, 0) + 1) * (1 + 0.15 * noise(1));
    values(t, 2) = t < 3 ? 8 : (0.9 * values(t - 3, 1) + 2) * (1 + 0.15 * noise(2));
  }
  const attention::AttentionFindings found =
      attention::attend_to_the_past(small::table_of(values), small::lags_up_to(5));
  std::vector<std::tuple<Index, Index, Index>> links;
  for (const methods::Link& link : found.findings.links)
    if (link.counts && !link.self()) links.emplace_back(link.cause, link.effect, link.lag);
  CHECK(links == std::vector<std::tuple<Index, Index, Index>>{{0, 1, 2}, {1, 2, 3}});
}

TEST_CASE("Of causes that act at several lags, what the heads left out makes no false pairs", "[attention_links]") {
  constexpr Index kSeries = 10, kSteps = 500, kLags = 3;
  int found = 0, wrong = 0;
  for (std::uint64_t seed = 620; seed < 632; ++seed) {
    const Random random(seed);
    // Each series has two drivers, at all of lags 1 to 3 with one weak coefficient.
    const auto drives = [](Index cause, Index effect) {
      return effect == (cause + 1) % kSeries || effect == (cause + 4) % kSeries;
    };
    Matrix<double> x = Matrix<double>::Zero(kSteps, kSeries);
    for (Index t = kLags; t < kSteps; ++t)
      for (Index j = 0; j < kSeries; ++j) {
        x(t, j) = random.normal(static_cast<std::uint64_t>(j), static_cast<std::uint64_t>(t));
        for (Index lag = 1; lag <= kLags; ++lag)
          for (Index i = 0; i < kSeries; ++i) x(t, j) += (i == j ? 0.1 : drives(i, j) ? 0.12 : 0) * x(t - lag, i);
      }
    std::set<std::pair<Index, Index>> pairs;
    for (const methods::Link& link :
         attention::attend_to_the_past(small::table_of(x), small::lags_up_to(5)).findings.links)
      if (link.counts && !link.self() && link.directed) pairs.emplace(link.cause, link.effect);
    for (const auto& [cause, effect] : pairs) wrong += drives(cause, effect) ? 0 : 1;
    found += static_cast<int>(pairs.size());
  }
  INFO(wrong << " of " << found);
  CHECK(found > 120);  // of 240
  CHECK(wrong < 0.05 * found);
}

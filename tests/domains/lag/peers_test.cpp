#include <tuple>

#include "fovea/core/linear/lagged_gram.hpp"
#include "fovea/core/linear/partial_correlation.hpp"
#include "fovea/domains/lag/methods/cross_correlation.hpp"
#include "fovea/domains/lag/methods/methods.hpp"
#include "fovea/domains/lag/methods/peer_links.hpp"
#include "fovea/tests/support/statistics/kolmogorov.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;

namespace {

constexpr double kSameLog = 1e-9;  // a sum of logarithms of thousands, rounded

/// Series with a memory, on which series 0 acts on 1 after 2 steps and 1 on 2 after 1.
datasets::series::SeriesTable chain_table(Index steps, Index series, double memory, double strength,
                                          std::uint64_t seed) {
  const Random random = Random(seed).stream("chain");
  datasets::series::SeriesTable table;
  for (Index i = 0; i < series; ++i) table.names.push_back("x" + std::to_string(i));
  constexpr Index kSettle = 200;
  Matrix<double> x = Matrix<double>::Zero(steps + kSettle, series);
  for (Index t = 2; t < x.rows(); ++t)
    for (Index i = 0; i < series; ++i) {
      x(t, i) = memory * x(t - 1, i) + random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(t));
      if (i == 1) x(t, i) += strength * x(t - 2, 0);
      if (i == 2) x(t, i) += strength * x(t - 1, 1);
    }
  table.values = x.bottomRows(steps);
  return table;
}

bool has_link(const methods::Findings& findings, Index cause, Index effect, Index lag) {
  for (const methods::Link& link : findings.links)
    if (link.cause == cause && link.effect == effect && link.lag == lag) return link.counts;
  return false;
}

}  // namespace

TEST_CASE("every method finds a chain of links with its lags", "[lags][peers]") {
  const datasets::series::SeriesTable table = chain_table(500, 4, 0.5, 0.5, 1);
  for (const methods::MethodEntry& method : methods::methods()) DYNAMIC_SECTION(method.name) {
      const methods::Findings findings = method.find(table, {{1, 2, 3}, false, {}, 0.05}, Random(2));
      CHECK(has_link(findings, 0, 1, 2));
      CHECK(has_link(findings, 1, 2, 1));
      if (method.conditional) CHECK_FALSE(has_link(findings, 0, 2, 3));
      CHECK_FALSE(has_link(findings, 3, 0, 1));
      for (const methods::Link& link : findings.links) {
        CHECK(std::abs(link.strength) <= 1);
        CHECK((link.p_value >= 0 && link.p_value <= 1));
        CHECK((link.q_value >= 0 && link.q_value <= 1));
        CHECK(std::isfinite(link.statistic));
      }
      CHECK(std::is_sorted(findings.links.begin(), findings.links.end(),
                           [](const methods::Link& a, const methods::Link& b) {
                             return std::tuple(a.effect, a.cause, a.lag) < std::tuple(b.effect, b.cause, b.lag);
                           }));
    }
}

TEST_CASE("every method has the logarithm of a p-value that is too small for a double", "[lags][peers]") {
  const datasets::series::SeriesTable table = chain_table(3000, 3, 0.5, 30, 1);
  for (const methods::MethodEntry& method : methods::methods()) DYNAMIC_SECTION(method.name) {
      const methods::Findings findings = method.find(table, {{1, 2, 3}, true, {}, 0.05}, Random(2));
      int small = 0;
      for (const methods::Link& link : findings.links) {
        CHECK(std::isnan(link.log10_p) == !methods::too_small(link.p_value));
        CHECK(std::isnan(link.log10_q) == !methods::too_small(link.q_value));
        CHECK(methods::log10_q(link) >= methods::log10_p(link) - kSameLog);
        if (!methods::too_small(link.p_value)) continue;
        ++small;
        CHECK((link.log10_p < -307 && std::isfinite(link.log10_p)));
        // (1 - r^2)^(d/2) is the tail but for a factor, d close to the number of rows
        const double rest = 1 - link.strength * link.strength;
        const double of_t = 0.5 * 3000 * std::log10(rest);
        if (method.name == "var") CHECK(link.log10_p == Approx(of_t).epsilon(0.02));
      }
      // tests of few degrees of freedom, and on the rows, of which 3000 products say no more
      if (method.name != "transfer_entropy_neighbours" && method.name != "attention") CHECK(small > 0);
    }
}

TEST_CASE("every method has the same bits for any number of threads", "[lags][peers][threads]") {
  const datasets::series::SeriesTable table = chain_table(100, 5, 0.7, 0.4, 3);
  const int before = omp_get_max_threads();
  for (const methods::MethodEntry& method : methods::methods()) DYNAMIC_SECTION(method.name) {
      omp_set_num_threads(1);
      const methods::Findings alone = method.find(table, {{1, 2, 4}, true, {}, 0.05}, Random(2));
      for (const int threads : {2, 3, 5}) {
        omp_set_num_threads(threads);
        const methods::Findings together = method.find(table, {{1, 2, 4}, true, {}, 0.05}, Random(2));
        REQUIRE(together.links.size() == alone.links.size());
        bool same = true;
        for (std::size_t k = 0; k < alone.links.size(); ++k) {
          const methods::Link &a = alone.links[k], &b = together.links[k];
          same =
              same && std::tuple(a.cause, a.effect, a.lag, a.strength, a.statistic, a.p_value, a.q_value, a.counts) ==
                          std::tuple(b.cause, b.effect, b.lag, b.strength, b.statistic, b.p_value, b.q_value, b.counts);
        }
        CHECK(same);
      }
    }
  omp_set_num_threads(before);
}

TEST_CASE("every method bears constant and equal series, gaps, recordings and too few rows",
          "[lags][peers][property]") {
  datasets::series::SeriesTable odd = chain_table(200, 6, 0.5, 0.5, 4);
  odd.values.col(3).setConstant(5);
  odd.values.col(4) = odd.values.col(0);
  for (Index t = 0; t < 200; ++t) odd.values(t, 5) = odd.values(t % 2, 5);  // repeats itself to the last bit
  datasets::series::SeriesTable gaps = chain_table(300, 4, 0.5, 0.6, 5);
  const Random random = Random(6).stream("gaps");
  for (Index t = 0; t < 300; ++t)
    for (Index i = 0; i < 4; ++i)
      if (random.uniform(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(t)) < 0.1) gaps.values(t, i) = kNan;
  datasets::series::SeriesTable apart = chain_table(300, 3, 0.5, 0.6, 7);
  apart.recording_starts = {0, 3, 150};
  const datasets::series::SeriesTable small = chain_table(14, 6, 0.5, 0.5, 8);
  for (const methods::MethodEntry& method : methods::methods()) DYNAMIC_SECTION(method.name) {
      for (const datasets::series::SeriesTable* table :
           std::initializer_list<const datasets::series::SeriesTable*>{&odd, &gaps, &apart, &small}) {
        const methods::Findings findings = method.find(*table, {{1, 2}, false, {}, 0.05}, Random(2));
        CHECK_FALSE(findings.links.empty());
        for (const methods::Link& link : findings.links) {
          CHECK(std::isfinite(link.strength));
          CHECK((link.p_value >= 0 && link.p_value <= 1));
          if (table == &odd && (link.cause == 3 || link.effect == 3)) CHECK(link.p_value == 1);
        }
        if (table == &gaps) CHECK_FALSE(findings.notes.empty());
        if (table == &gaps) CHECK(has_link(findings, 0, 1, 2));
      }
      const methods::Findings one = method.find(apart, {{1, 2}, false, {2}, 0.05}, Random(2));
      for (const methods::Link& link : one.links) CHECK(link.effect == 2);
    }
}

TEST_CASE("cross-correlations of independent series with memory .9 have uniform p-values only by Bartlett's variance",
          "[lags][peers][statistics]") {
  std::vector<double> honest, naive;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const datasets::series::SeriesTable table = chain_table(400, 2, 0.9, 0, 100 + seed);
    for (const methods::Link& link :
         methods::method_of("cross_correlation").find(table, {{3}, false, {1}, 0.05}, Random(1)).links)
      if (!link.self()) honest.push_back(link.p_value);
    const methods::SeriesColumns columns(table.values);
    naive.push_back(methods::cross_correlation(columns.of(0), columns.of(1), table.recording_starts, 3, 1.0).p_value);
  }
  CHECK(support::kolmogorov_uniform(honest).p_value > 0.01);
  CHECK(support::kolmogorov_uniform(naive).p_value < 1e-6);
}

TEST_CASE("many cross-correlations at once have the bits of each alone", "[lags][peers][twin]") {
  datasets::series::SeriesTable table = chain_table(5000, 6, 0.5, 0.4, 7);
  const auto compare = [&] {
    const methods::SeriesColumns columns(table.values);
    std::vector<std::span<const double>> series;
    for (Index i = 0; i < table.series(); ++i) series.push_back(columns.of(i));
    methods::LagSettings settings{{1, 2, 7}, true, {}, 0.05};
    std::vector<methods::Link> together = methods::links_asked_for(table, settings);
    std::vector<methods::Link*> links;
    for (methods::Link& link : together) links.push_back(&link);
    const auto excess = [](const methods::Link& link) { return 1 + 0.1 * static_cast<double>(link.cause); };
    methods::SearchMeter meter(settings, 1);
    methods::CrossCorrelations(series, table.recording_starts).test(links, excess, meter);
    for (const methods::Link& link : together) {
      const CorrelationTest alone = methods::cross_correlation(columns.of(link.cause), columns.of(link.effect),
                                                               table.recording_starts, link.lag, excess(link));
      CHECK(link.strength == alone.correlation);
      CHECK(link.p_value == alone.p_value);
    }
  };
  compare();
  for (Index t = 0; t < 5; ++t) table.values(t, 1) = kNan;  // begins later
  table.values.col(2).setConstant(3);
  table.values.col(4).setConstant(kNan);
  compare();
  table.values(200, 3) = kNan;
  table.recording_starts = {0, 120};
  compare();
}

TEST_CASE("information from neighbours of independent series has uniform p-values, large where it is below chance",
          "[lags][peers][statistics]") {
  std::vector<double> p;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const datasets::series::SeriesTable table = chain_table(100, 3, 0.3, 0, 300 + seed);
    for (const methods::Link& link :
         methods::method_of("transfer_entropy_neighbours").find(table, {{2}, false, {}, 0.05}, Random(1)).links) {
      if (link.self()) continue;
      CHECK((link.statistic < 0) == (link.p_value > 0.5));
      p.push_back(link.p_value);
    }
  }
  REQUIRE(p.size() == 120);
  CHECK(support::kolmogorov_uniform(p).p_value > 0.01);
}

TEST_CASE("transfer entropy is a partial correlation given the effect's own past", "[lags][peers]") {
  const datasets::series::SeriesTable table = chain_table(300, 2, 0.6, 0.3, 12);
  const LaggedGram gram(table.values, {0, 1, 2, 3});  // the lags asked for, and 1
  for (const methods::Link& link :
       methods::method_of("transfer_entropy").find(table, {{2, 3}, false, {}, 0.05}, Random(1)).links) {
    std::vector<Index> past;
    for (const Index lag : {1, 2, 3})
      if (!(link.self() && lag == link.lag)) past.push_back(gram.column(link.effect, lag));
    const double r =
        partial_correlation(gram.products(), gram.column(link.cause, link.lag), gram.column(link.effect, 0), past);
    CHECK(link.strength == Approx(r));
    CHECK(link.p_value == Approx(test_correlation(r, 297, static_cast<Index>(past.size())).p_value));
  }
}

TEST_CASE("a prewhitened series' own links are tested by partial autocorrelations", "[lags][peers]") {
  const datasets::series::SeriesTable table = chain_table(400, 2, 0.6, 0, 10);
  for (const methods::Link& link :
       methods::method_of("prewhitened_cross_correlation").find(table, {{1, 2}, false, {}, 0.05}, Random(1)).links) {
    if (!link.self()) continue;
    CHECK(link.statistic == Approx(link.strength * std::sqrt(400.0)));
    CHECK((link.lag == 1) == (link.p_value < 1e-6));
  }
}

TEST_CASE("at lag 0 each pair is asked for once, from the smaller number unless only the other is a target",
          "[lags][peers]") {
  const datasets::series::SeriesTable table = chain_table(50, 3, 0.5, 0, 11);
  const auto within = [&](const std::vector<Index>& targets) {
    std::vector<std::pair<Index, Index>> pairs;
    for (const methods::Link& link : methods::links_asked_for(table, {{1}, true, targets, 0.05}))
      if (link.lag == 0) pairs.emplace_back(link.cause, link.effect);
    return pairs;
  };
  CHECK(within({}) == std::vector<std::pair<Index, Index>>{{0, 1}, {0, 2}, {1, 2}});
  CHECK(within({1}) == std::vector<std::pair<Index, Index>>{{0, 1}, {2, 1}});
}

TEST_CASE("where too few rows are complete gaps are filled by straight lines inside their recording", "[lags][peers]") {
  datasets::series::SeriesTable table;
  table.names = {"x"};
  table.recording_starts = {0, 5};
  table.values.resize(8, 1);
  table.values << 1, kNan, kNan, 4, kNan, /* next recording */ kNan, 9, kNan;
  methods::Findings findings;
  const Matrix<double> filled = methods::Filled(table, 1, findings).table().values;
  const std::vector<double> wanted{1, 2, 3, 4, 4, 9, 9, 9};
  for (Index t = 0; t < 8; ++t) CHECK(filled(t, 0) == Approx(wanted[t]));
  CHECK(findings.notes.size() == 1);
}

TEST_CASE("methods are found by name and settings that cannot be are refused", "[lags][peers][error]") {
  CHECK_THROWS_AS(methods::method_of("granger"), ArgumentError);
  std::set<std::string_view> names;
  for (const methods::MethodEntry& method : methods::methods()) CHECK(names.insert(method.name).second);
  const datasets::series::SeriesTable table = chain_table(60, 3, 0.5, 0.5, 9);
  for (const methods::MethodEntry& method : methods::methods()) {
    CHECK_THROWS_AS(method.find(table, {{}, false, {}, 0.05}, Random(1)), ArgumentError);
    CHECK_THROWS_AS(method.find(table, {{0, 1}, false, {}, 0.05}, Random(1)), ArgumentError);
    CHECK_THROWS_AS(method.find(table, {{60}, false, {}, 0.05}, Random(1)), ArgumentError);
    CHECK_THROWS_AS(method.find(table, {{1}, false, {3}, 0.05}, Random(1)), ArgumentError);
    CHECK_THROWS_AS(method.find(table, {{1}, false, {}, 0.0}, Random(1)), ArgumentError);
  }
}

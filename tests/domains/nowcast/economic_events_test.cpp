#include "fovea/domains/nowcast/events/events.hpp"

#include "fovea/datasets/simulated/economies/simulated_panel.hpp"
#include "fovea/domains/nowcast/events/surprises.hpp"
#include "fovea/tests/domains/nowcast/small_panels.hpp"

namespace fovea::nowcast {

namespace {

/// An event of a kind: months from kBegin to its release, and size.
using Happened = std::pair<Index, double>;

std::vector<Happened> happened(const Events& events, const std::string& kind) {
  std::vector<Happened> found;
  for (const Event& event : events.events)
    if (events.kinds[event.kind].name() == kind) found.emplace_back(event.released - kBegin, event.size);
  return found;
}
std::vector<Happened> happened(const std::string& name, const std::vector<double>& values, const std::string& kind) {
  return happened(find_events(known_of({{name, values}})), kind);
}

/// Values that stay at `calm` for n months, but for those that are set.
std::vector<double> calm_but(Index n, double calm, const std::map<Index, double>& others) {
  std::vector<double> values = line_of(n, calm);
  for (const auto& [month, value] : others) values[month] = value;
  return values;
}

std::vector<Event> until(const Events& events, Index month) {
  std::vector<Event> early;
  for (const Event& event : events.events)
    if (event.released <= month) early.push_back(event);
  return early;
}

}  // namespace

TEST_CASE("a threshold is passed in the month in which it becomes true, and known at the release",
          "[nowcast][events]") {
  CHECK(happened("CLAIMSx", calm_but(12, 100, {{5, 121}, {6, 130}}),
                 "claims for unemployment insurance: up 20 % in 3 months") == std::vector<Happened>{{5, 1}});
  CHECK(happened("CLAIMSx", calm_but(12, 100, {{5, 119}}), "claims for unemployment insurance: up 20 % in 3 months")
            .empty());
  CHECK(happened("OILPRICEx", calm_but(12, 10, {{5, 13}}), "the oil price: up 30 % in 3 months") ==
        std::vector<Happened>{{5, 1}});  // just reached, whatever the rounding
  CHECK(happened("S&P 500", calm_but(20, 100, {{5, 90}, {7, 120}}), "share prices: down 10 % in 3 months") ==
        std::vector<Happened>{{5, 1}, {10, 1}});
  CHECK(
      happened("PERMIT", calm_but(30, 100, {{14, 80}, {15, 81}, {16, 79}}), "building permits: down 20 % in a year") ==
      std::vector<Happened>{{15, 1}, {17, 1}});  // released a month later
  CHECK(happened("UMCSENTx", calm_but(30, 90.3, {{14, 80.3}}), "consumer sentiment: down 10 points in a year") ==
        std::vector<Happened>{{14, 1}});
}

TEST_CASE("unemployment half a point above its low is Sahm's rule", "[nowcast][events]") {
  // means of 3 months: 4.1, 4.3, 4.5 from month 18 on; that of month 20 is .5 above the low, by decimals that round
  const auto values = calm_but(30, 4, {{18, 4.3}, {19, 4.6}, {20, 4.6}, {21, 4.6}});
  CHECK(happened("UNRATE", values, "unemployment: half a point above its low") == std::vector<Happened>{{21, 1}});
}

TEST_CASE("spreads cross their thresholds", "[nowcast][events]") {
  const Events events = find_events(known_of({{"AAA", line_of(24, 5.1)},
                                              {"BAA", calm_but(24, 6.2, {{14, 6.5}, {15, 6.6}, {20, 6.4}})},
                                              {"GS10", calm_but(24, 4.1, {{3, 4.09}, {4, 4.0}, {9, 3}})},
                                              {"TB3MS", line_of(24, 4.1)}}));
  CHECK(happened(events, "the yield spread: turns negative") == std::vector<Happened>{{3, 1}, {9, 1}});
  CHECK(happened(events, "the credit spread: widens by .3 points") == std::vector<Happened>{{14, 1}});
}

TEST_CASE("prices that rise faster than in any of the last twelve months are an event", "[nowcast][events]") {
  std::vector<double> prices;
  for (Index m = 0; m < 40; ++m) prices.push_back(100 * std::exp(0.002 * static_cast<double>(m)));
  prices[30] *= 1.01;
  CHECK(happened("CPIAUCSL", prices, "consumer prices: rise faster than in the last year") ==
        std::vector<Happened>{{31, 1}});
}

TEST_CASE("a gap neither ends a condition nor lets it begin", "[nowcast][events]") {
  const std::string kind = "consumer sentiment: down 10 points in a year";
  std::vector<double> quarterly(36, kNan);
  for (Index m = 0; m < 36; m += 3) quarterly[m] = m < 12 ? 90 : m < 24 ? 75 : 90;
  CHECK(happened("UMCSENTx", quarterly, kind).empty());  // true in the first month that can tell: nobody saw it begin
  for (Index m = 12; m < 18; m += 3) quarterly[m] = 88;
  CHECK(happened("UMCSENTx", quarterly, kind) == std::vector<Happened>{{18, 1}});  // once, not each quarter
}

TEST_CASE("growth from nothing or from below is no event", "[nowcast][events]") {
  for (const double base : {0.0, -5.0})
    CHECK(happened("OILPRICEx", calm_but(12, base, {{6, 30}, {7, 30}}), "the oil price: up 30 % in 3 months").empty());
}

TEST_CASE("the third and later fall or rise in a row is an event that grows up to 3", "[nowcast][events]") {
  CHECK(happened("PAYEMS", {9, 8, 7, 6, 5, 4, 3, 2, 2, 1, 0}, "payrolls: falls in a row") ==
        std::vector<Happened>{{4, 1}, {5, 2}, {6, 3}, {7, 3}, {8, 3}});
  CHECK(happened("UNRATE", {4, 5, 6, 7, 6, 7, 8, kNan, 9, 10, 11}, "unemployment: rises in a row") ==
        std::vector<Happened>{{4, 1}});  // a gap breaks the row
  CHECK(happened("CPIAUCSL", line_of(30, 100, -1), "consumer prices: falls in a row").empty());
}

TEST_CASE("the federal funds rate is raised and cut by a quarter of a point or more", "[nowcast][events]") {
  const std::vector<double> rate{5.08, 5.33, 5.33, 5.1, 3, 3.24, kNan, 9};  // 5.33 - 5.08 is below .25 by rounding
  const Events events = find_events(known_of({{"FEDFUNDS", rate}}));
  REQUIRE(happened(events, "the federal funds rate: raised").size() == 1);
  const auto [month, size] = happened(events, "the federal funds rate: raised")[0];
  CHECK((month == 1 && std::abs(size - 0.25) < 1e-12));
  CHECK(happened(events, "the federal funds rate: cut") == std::vector<Happened>{{4, 1.5}});
}

TEST_CASE("releases that differ from their forecast by a deviation are surprises, but those of yields",
          "[nowcast][events]") {
  const auto simulated = datasets::simulated::simulated_panel(Random(4), {.months = 400});
  std::vector<std::string> ignored;
  const auto series = known_series(simulated.panel, {}, ignored);
  const Events events = find_events(series);
  for (const KnownSeries& one : series) {
    std::vector<Happened> expected;
    const std::vector<double> errors = forecast_errors(one.changes);
    const bool yields = one.words.find("yield") != std::string::npos || one.words == "the credit spread";
    for (std::size_t i = 0; i < errors.size(); ++i)
      if (!yields && std::abs(errors[i]) >= 1)
        expected.emplace_back(one.first_month + static_cast<Index>(i) + one.lag - kBegin,
                              std::max(-3.0, std::min(3.0, errors[i])));
    INFO(one.name);
    CHECK(happened(events, one.words + ": surprise") == expected);
    CHECK(expected.empty() == yields);
  }
}

TEST_CASE("events are in the order of their release, and kinds in that of their names", "[nowcast][events]") {
  std::vector<std::string> ignored;
  const Events events =
      find_events(known_series(datasets::simulated::simulated_panel(Random(5), {.months = 300}).panel, {}, ignored));
  CHECK(std::is_sorted(events.events.begin(), events.events.end(),
                       [](const Event& a, const Event& b) { return a.released < b.released; }));
  std::set<std::string> names;
  for (const EventKind& kind : events.kinds) {
    if (!names.empty()) CHECK(*names.rbegin() < kind.name());
    names.insert(kind.name());
  }
  for (const Event& event : events.events) {
    CHECK((std::abs(event.size) > 0 && std::abs(event.size) <= 3));
    CHECK((event.size > 0 || events.kinds[event.kind].what == "surprise"));
  }
  CHECK(find_events({}).kinds.empty());
}

TEST_CASE("noise in all values that are released later leaves every earlier event as it was", "[nowcast][events]") {
  const auto simulated = datasets::simulated::simulated_panel(Random(6), {.months = 400});
  std::vector<std::string> ignored;
  const auto series = known_series(simulated.panel, {}, ignored);
  const Events before = find_events(series);
  const Random random = Random(7).stream("noise");
  for (const Index after : {90, 200, 201, 333}) {
    const Index last = simulated.panel.first_month + after;  // known at its end: all values up to it less their lag
    datasets::panels::MonthlyPanel noisy = simulated.panel;
    for (std::size_t s = 0; s < noisy.series.size(); ++s) {
      const KnownSeries* const known = find_series(series, noisy.series[s].name);
      REQUIRE(known != nullptr);
      for (Index i = after - known->lag + 1; i < noisy.months(); ++i)
        noisy.series[s].values[i] *= std::exp(random.normal(s, i));
    }
    const Events changed = find_events(known_series(noisy, {}, ignored));
    const std::vector<Event> a = until(before, last), b = until(changed, last);
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      CHECK(before.kinds[a[i].kind].name() == changed.kinds[b[i].kind].name());
      CHECK((a[i].size == b[i].size && a[i].released == b[i].released));
    }
    CHECK(changed.events.size() != before.events.size());
  }
}

}  // namespace fovea::nowcast

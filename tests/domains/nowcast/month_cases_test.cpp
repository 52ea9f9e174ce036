#include "fovea/domains/nowcast/cases/month_cases.hpp"

#include "fovea/datasets/simulated/economies/simulated_panel.hpp"
#include "fovea/domains/nowcast/cases/economy_cases.hpp"
#include "fovea/domains/nowcast/findings.hpp"
#include "fovea/domains/nowcast/series/columns.hpp"
#include "fovea/tests/domains/nowcast/small_panels.hpp"

namespace fovea::nowcast {

namespace {

/// What is known of payrolls and of the federal funds rate, which is cut in 1990-06 and raised in 1991-03.
KnownMonths two_series() {
  std::vector<double> rate = line_of(40, 5);
  for (Index m = 5; m < 14; ++m) rate[m] = 4;
  return known_months(known_of({{"FEDFUNDS", rate}, {"PAYEMS", line_of(40, 100, 1)}}));
}

datasets::panels::Recessions recession_of(Index first, Index count, Index begin, Index end) {
  datasets::panels::Recessions recessions{"r.csv", first, std::vector<double>(count, 0.0)};
  for (Index month = begin; month <= end; ++month) recessions.in[month - first] = 1;
  return recessions;
}

study::Cases cases_of(const KnownMonths& known, const datasets::panels::Recessions* recessions,
                      const CaseSettings& settings) {
  return month_cases(
      kBegin, kBegin + 39, [&](Index) -> const KnownMonths& { return known; }, recessions, settings);
}

/// Tokens of a month: class, size, months before its end.
using Token = std::tuple<std::string, float, double>;
std::vector<Token> tokens_of(const study::Cases& cases, const std::string& id) {
  std::vector<Token> tokens;
  for (Index b = 0; b < cases.count(); ++b)
    for (Index i = cases.offsets[b]; cases.ids[b] == id && i < cases.offsets[b + 1]; ++i)
      tokens.emplace_back(cases.classes[cases.kinds[i]], cases.values(i, 0), cases.ends[b] - cases.times[i]);
  return tokens;
}

/// By episode or in time, of a simulated panel.
study::Cases simulated_cases(FoldsBy folds, RecessionSettings settings = {}) {
  settings.seed = 3;
  return economy_cases(settings, folds);
}

}  // namespace

TEST_CASE("a month has its columns, a token that says nothing, and the events of its window", "[nowcast][cases]") {
  const study::Cases cases = cases_of(two_series(), nullptr, {.window = 10, .fewest = 1});
  study::check_cases("cases", cases);
  CHECK(cases.ids.front() == "1990-05-01");  // payrolls need four months and are a month late
  CHECK(cases.count() == 36);
  CHECK(cases.classes ==
        std::vector<std::string>{kNothing, "column: payrolls, 3-month growth", "payrolls: falls in a row",
                                 "payrolls: surprise", "the federal funds rate: cut", "the federal funds rate: raised",
                                 "the federal funds rate: rises in a row", "the federal funds rate: surprise"});
  const auto growth = [](double jobs) { return static_cast<float>(std::log(jobs) - std::log(jobs - 3)); };
  CHECK(tokens_of(cases, "1990-05-01") ==
        std::vector<Token>{{kNothing, 0, 0}, {"column: payrolls, 3-month growth", growth(103), 0}});
  CHECK(tokens_of(cases, "1990-06-01") == std::vector<Token>{{kNothing, 0, 0},
                                                             {"column: payrolls, 3-month growth", growth(104), 0},
                                                             {"the federal funds rate: cut", 1, 0}});
  CHECK(tokens_of(cases, "1991-03-01") == std::vector<Token>{{kNothing, 0, 0},
                                                             {"column: payrolls, 3-month growth", growth(113), 0},
                                                             {"the federal funds rate: cut", 1, 9},
                                                             {"the federal funds rate: raised", 1, 0}});
  CHECK(tokens_of(cases, "1991-04-01").size() == 3);  // the cut is out of the window of ten months
  CHECK(cases.targets.empty());
  CHECK(cases.ends[0] == 12 * 90 + 4);
  CHECK(cases.time_unit == "months since 1900-01");
  CHECK(cases_of(two_series(), nullptr, {.fewest = 2}).count() == 0);
}

TEST_CASE("a label is that of the month ahead, and is known so much later", "[nowcast][cases]") {
  const auto recessions = recession_of(kBegin, 30, kBegin + 10, kBegin + 12);
  const study::Cases cases = cases_of(two_series(), &recessions, {.horizon = 3, .delay = 5, .fewest = 1});
  for (Index b = 0; b < cases.count(); ++b) {
    const Index month = month_of(cases.ends[b]) - kBegin;
    CHECK(cases.known[b] == cases.ends[b] + 8);
    if (month + 3 < 30)
      CHECK(cases.targets[b] == (month >= 7 && month <= 9 ? 1 : 0));
    else
      CHECK(std::isnan(cases.targets[b]));  // unknown, not 0
  }
}

TEST_CASE("classes do not depend on what happens", "[nowcast][cases]") {
  KnownMonths calm = two_series();
  for (KnownSeries& one : calm.series) one.changes = one.values = line_of(40, 5);
  calm = known_months(std::move(calm.series));
  CHECK(calm.events.events.empty());
  CHECK(cases_of(calm, nullptr, {.fewest = 1}).classes == cases_of(two_series(), nullptr, {.fewest = 1}).classes);
}

TEST_CASE("months have names that can be read back", "[nowcast][cases]") {
  CHECK(date_of(kBegin + 13) == "1991-02-01");
  CHECK(month_of(time_of(kBegin + 13)) == kBegin + 13);
  CHECK((month_of_date("1991-02") == kBegin + 13 && month_of_date("1991-02-01") == kBegin + 13));
  for (const char* text : {"", "1991", "1991-13", "1991-00", "1991-02-02", "02/1991", "1991-02x", "soon"})
    CHECK(month_of_date(text) == -1);
}

TEST_CASE("recessions are episodes, and each month is nearest to one", "[nowcast][cases]") {
  auto recessions = recession_of(kBegin, 60, kBegin + 10, kBegin + 14);
  for (const Index month : {40, 41, 59}) recessions.in[month] = 1;
  recessions.in[20] = kNan;
  const auto episodes = episodes_of(recessions);
  REQUIRE(episodes.size() == 3);
  CHECK((episodes[0].first == kBegin + 10 && episodes[0].last == kBegin + 14));
  CHECK((episodes[1].first == kBegin + 40 && episodes[1].last == kBegin + 41));
  CHECK((episodes[2].first == kBegin + 59 && episodes[2].last == kBegin + 59));
  CHECK(nearest_episode(episodes, kBegin - 100) == 0);
  CHECK(nearest_episode(episodes, kBegin + 27) == 0);  // as near to the next: the earlier one
  CHECK(nearest_episode(episodes, kBegin + 28) == 1);
  CHECK(nearest_episode(episodes, kBegin + 40) == 1);
  CHECK(nearest_episode(episodes, kBegin + 500) == 2);
}

TEST_CASE("months before the first block teach, and blocks follow one another", "[nowcast][cases]") {
  RecessionSettings settings;
  settings.refit = 7;
  const study::Cases cases = simulated_cases(FoldsBy::time, settings);
  study::check_cases("cases", cases);
  const Index first = month_of_date("1975-01"), start = month_of_date("1985-01");
  std::map<std::string, Index> parts;
  for (Index b = 0; b < cases.count(); ++b) {
    const Index month = month_of(cases.ends[b]);
    CHECK(cases.ids[b] == date_of(month));
    CHECK(cases.folds[b] == (month < first ? study::kNeverTested : (month - first) / 7));
    CHECK(cases.parts[b] == (month < first ? "training" : month < start ? "validation" : "test"));
    ++parts[cases.parts[b]];
  }
  CHECK((parts["validation"] == 120 && parts["test"] == 468));
  CHECK(cases.weights.empty());
  CHECK(std::set<std::string>(cases.groups.begin(), cases.groups.end()).size() > 4);
  CHECK(cases.reading.findings.empty());  // nothing is revised in a simulated economy
}

TEST_CASE("by episode a month near two recessions is there for both, with half a weight each", "[nowcast][cases]") {
  const study::Cases months = simulated_cases(FoldsBy::time), cases = simulated_cases(FoldsBy::episode);
  study::check_cases("cases", cases);
  const auto simulated = datasets::simulated::simulated_panel(Random(3).stream("economy"));
  const auto episodes = episodes_of(simulated.recessions);
  std::map<std::string, std::vector<Index>> folds;
  std::map<std::string, double> weight;
  for (Index b = 0; b < cases.count(); ++b) {
    folds[cases.ids[b]].push_back(cases.folds[b]);
    weight[cases.ids[b]] += cases.weights[b];
  }
  CHECK(std::ssize(folds) == months.count());
  std::size_t twice = 0;
  for (Index b = 0; b < months.count(); ++b) {
    const Index month = month_of(months.ends[b]);
    std::vector<Index> expected;
    for (std::size_t e = 0; e < episodes.size(); ++e)
      if (episodes[e].first - 24 <= month && month <= episodes[e].last + 24) expected.push_back(static_cast<Index>(e));
    if (expected.empty()) expected.push_back(study::kNeverTested);
    CHECK(folds[months.ids[b]] == expected);
    CHECK(weight[months.ids[b]] == 1);
    twice += expected.size() > 1;
  }
  CHECK(std::ssize(cases.ids) == months.count() + static_cast<Index>(twice));
  REQUIRE(cases.reading.findings.size() == 1);
  const auto parted = finding_as<MonthsByRecession>(cases.reading.findings.front());
  CHECK((parted.recessions == std::ssize(episodes) && parted.twice == static_cast<Index>(twice)));
  CHECK(parted.far == std::count(cases.folds.begin(), cases.folds.end(), study::kNeverTested));
}

TEST_CASE("noise after a month leaves the cases up to it as they were", "[nowcast][cases]") {
  const auto simulated = datasets::simulated::simulated_panel(Random(8), {.months = 300});
  std::vector<std::string> ignored;
  const Index begin = simulated.panel.first_month, last = begin + 222;
  datasets::panels::MonthlyPanel noisy = simulated.panel;
  const Random random = Random(9).stream("noise");
  for (auto& series : noisy.series)
    for (const SeriesRule& rule : series_rules())
      for (Index i = 222 - rule.lag + 1; rule.name == series.name && i < 300; ++i)
        series.values[i] *= std::exp(random.normal(rule.code, i));
  const auto cases_until = [&](const datasets::panels::MonthlyPanel& panel) {
    const KnownMonths known = known_months(known_series(panel, {}, ignored));
    return month_cases(begin, last, [&](Index) -> const KnownMonths& { return known; }, nullptr, {});
  };
  const study::Cases before = cases_until(simulated.panel), after = cases_until(noisy);
  CHECK(before.count() > 200);
  CHECK(before.ids == after.ids);
  CHECK((before.classes == after.classes && before.kinds == after.kinds && before.times == after.times));
  CHECK(before.values == after.values);
}

}  // namespace fovea::nowcast

#include "fovea/domains/lag/nature/nature.hpp"

#include "fovea/core/statistics/processes/fourier.hpp"
#include "fovea/domains/lag/nature/adjustments.hpp"
#include "fovea/domains/lag/nature/keys.hpp"
#include "fovea/domains/lag/nature/shapes.hpp"
#include "fovea/domains/lag/series/input.hpp"
#include "fovea/domains/lag/series/lag_choice.hpp"
#include "fovea/tests/support/kinds/kinds.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;
using datasets::series::SeriesTable;

namespace {

/// What is added to series s of 8 at step t; u: a number in [0, 1) of each (series, place).
using Course = std::function<double(Index t, Index s, const std::function<double(Index, Index)>& u)>;

/// Autoregressions of order 1 with standard normal noise, and a course in units of their standard deviation.
SeriesTable independent(Index steps, Index series, double memory, const Random& random, const Course& course = {}) {
  SeriesTable table;
  table.values.resize(steps, series);
  const Random shape = random.stream("shape");
  const auto u = [&](Index a, Index b) {
    return shape.uniform(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b));
  };
  constexpr Index kWarm = 200;
  const double size = memory < 1 ? 1 / std::sqrt(1 - memory * memory) : 1;
  for (Index s = 0; s < series; ++s) {
    table.names.push_back("s" + std::to_string(s));
    double x = 0;
    for (Index t = memory < 1 ? -kWarm : 0; t < steps; ++t) {
      x = memory * x + random.normal(static_cast<std::uint64_t>(s), static_cast<std::uint64_t>(t + kWarm));
      if (t >= 0) table.values(t, s) = x + (course ? size * course(t, s, u) : 0);
    }
  }
  return table;
}

double turn(double cycles) { return std::sin(2 * std::numbers::pi * cycles); }

/// How many of some tables have an adjustment of the kind.
int found_in(int tables, nature::CourseKind kind, const std::function<SeriesTable(const Random&)>& table) {
  int found = 0;
  for (int k = 0; k < tables; ++k) {
    const auto adjusted = nature::adjustments(table(Random(2300 + static_cast<std::uint64_t>(k))), {});
    for (const nature::Adjustment& one : adjusted)
      if (one.kind == kind) {
        ++found;
        break;
      }
  }
  return found;
}

}  // namespace

TEST_CASE("the transform is the sum that defines it", "[lag][twin]") {
  constexpr Index n = 32;
  std::vector<std::complex<double>> x;
  for (Index t = 0; t < n; ++t)
    x.emplace_back(Random(1).normal(1, static_cast<std::uint64_t>(t)),
                   Random(1).normal(2, static_cast<std::uint64_t>(t)));
  std::vector<std::complex<double>> fast = x;
  const Fourier fourier(n);
  fourier(fast);
  for (Index k = 0; k < n; ++k) {
    std::complex<double> sum = 0;
    for (Index t = 0; t < n; ++t)
      sum += x[t] * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k * t) / static_cast<double>(n));
    CHECK(std::abs(sum - fast[k]) < 1e-12);  // rounding of 32 terms
  }
  CHECK_THROWS_AS(Fourier(12), ArgumentError);
}

TEST_CASE("a series is described as it was made", "[lag]") {
  SeriesTable table = independent(600, 4, 0.6, Random(2400));
  for (Index t = 0; t < 600; ++t) {
    table.values(t, 1) += 3 * turn(static_cast<double>(t) / 30) + (t >= 250 ? 6 : 0);
    table.values(t, 2) = t < 300 ? table.values(t, 2) : 4 * table.values(t, 2);
    if (t % 3 != 0) table.values(t, 3) = 0;
  }
  table.values(7, 0) = kNan;
  table.values(9, 0) = 20;
  const std::vector<nature::SeriesNature> natures = nature::describe(table);
  CHECK(std::fabs(natures[0].memory - 0.5) < 0.15);  // of .6, less what one outlier takes
  CHECK(natures[0].unit_root_p < 0.01);
  CHECK(natures[0].outliers >= 1);
  CHECK(natures[0].tails > 10);
  CHECK(natures[0].level_breaks.empty());
  CHECK(std::fabs(natures[1].season_steps - 30) < 1);
  CHECK(natures[1].season_p < 1e-6);
  CHECK(natures[1].level_breaks.size() >= 1);
  CHECK(std::fabs(static_cast<double>(natures[1].level_breaks[0]) - 250) <= 2);
  REQUIRE(natures[2].variance_breaks.size() >= 1);
  CHECK(std::fabs(static_cast<double>(natures[2].variance_breaks[0]) - 300) < 15);
  CHECK(natures[0].variance_breaks.empty());
  CHECK(std::fabs(natures[3].zeros - 2.0 / 3) < 0.01);
  CHECK(natures[3].distinct == 201);
  const SeriesTable walk = independent(600, 1, 1, Random(2401));
  CHECK(nature::describe(walk)[0].unit_root_p > 0.05);
}

TEST_CASE("seasons, trends and steps that series share are found, whatever their shape", "[lag][statistics]") {
  constexpr int kTables = 20, kFewest = 19;
  using nature::CourseKind;
  const auto size = [](const auto& u, Index s) { return 0.7 + 1.3 * u(s, 0); };
  const auto sets = [](Index steps, double memory, const Course& course, const char* unit = "") {
    return [=](const Random& random) {
      SeriesTable table = independent(steps, 8, memory, random, course);
      table.time_unit = unit;
      return table;
    };
  };
  const Course year = [&](Index t, Index s, const auto& u) {
    return size(u, s) * turn(static_cast<double>(t) / 365.25 + u(s, 1));
  };
  CHECK(found_in(kTables, CourseKind::season, sets(800, 0.5, year)) >= kFewest);
  CHECK(found_in(kTables, CourseKind::season, sets(800, 0.5, year, "days")) >= kFewest);
  const Course noon = [&](Index t, Index s, const auto& u) { return t % 24 == 12 ? 4 * size(u, s) : 0.0; };
  CHECK(found_in(kTables, CourseKind::season, sets(500, 0.5, noon)) >= kFewest);
  const Course weekday = [&](Index t, Index s, const auto& u) { return size(u, s) * (t % 7 >= 5 ? 1.5 : 0); };
  CHECK(found_in(kTables, CourseKind::season, sets(300, 0.5, weekday)) >= kFewest);
  const Course month = [&](Index t, Index s, const auto& u) { return size(u, s) * 3 * (u(100, t % 12) - 0.5); };
  CHECK(found_in(kTables, CourseKind::season, sets(300, 0.3, month)) >= kFewest);
  const Course shift = [&](Index t, Index s, const auto& u) { return t >= 170 ? 1.5 * size(u, s) : 0.0; };
  CHECK(found_in(kTables, CourseKind::step, sets(500, 0.5, shift)) >= kFewest);
  const Course trend = [&](Index t, Index s, const auto& u) { return 3 * size(u, s) * static_cast<double>(t) / 500; };
  CHECK(found_in(kTables, CourseKind::trend, sets(500, 0.5, trend)) >= kFewest);
}

TEST_CASE("a step that a change of the variance may have made is not called a change of level", "[lag][statistics]") {
  constexpr int kTables = 20;
  const auto steps_of = [](const auto& table_of, bool sure) {
    int count = 0;
    for (Index k = 0; k < kTables; ++k)
      for (const nature::Adjustment& one : nature::adjustments(table_of(k), {}))
        if (one.kind == nature::CourseKind::step && one.sure == sure) {
          CHECK((one.sentence.find("A change of level at row ") == 0) == sure);
          CHECK((one.sentence.find(" that a change of the variance alone may have made, ") != std::string::npos) !=
                sure);
          ++count;
        }
    return count;
  };
  const auto volatile_table = [](Index k) {
    return support::kinds::draw_table("common_volatility", k, Random(2650)).table;
  };
  CHECK(steps_of(volatile_table, true) <= 1);
  CHECK(steps_of(volatile_table, false) > 0);
  const auto shifted_table = [](Index k) {
    return independent(500, 8, 0.5, Random(2300 + static_cast<std::uint64_t>(k)),
                       [](Index t, Index s, const auto& u) { return t >= 170 ? 1.05 + 1.95 * u(s, 0) : 0.0; });
  };
  CHECK(steps_of(shifted_table, true) >= kTables - 1);
  CHECK(steps_of(shifted_table, false) <= 1);
}

TEST_CASE("where there is no course hardly any is found, random walks included", "[lag][statistics]") {
  constexpr int kTables = 40, kMost = 3;  // 5 % and one
  for (const double memory : {0.0, 0.5, 0.95, 1.0}) {
    INFO("memory " << memory);
    int found = 0;
    for (int k = 0; k < kTables; ++k)
      found +=
          nature::adjustments(independent(400, 8, memory, Random(2500 + static_cast<std::uint64_t>(k))), {}).empty()
              ? 0
              : 1;
    CHECK(found <= kMost);
  }
}

TEST_CASE("series that drive each other share no course, however they wander together", "[lag][statistics]") {
  // Each is driven by two others after 1, 2 and 3 steps: own pasts leave slow waves that all share.
  constexpr Index kTables = 40, kSteps = 500, kSeries = 10;
  int found = 0;
  for (Index k = 0; k < kTables; ++k) {
    const Random random(2900 + static_cast<std::uint64_t>(k));
    SeriesTable table = independent(kSteps, kSeries, 0, random);
    for (Index t = 3; t < kSteps; ++t)
      for (Index s = 0; s < kSeries; ++s)
        for (const Index cause : {s, (s + 3) % kSeries, (s + 7) % kSeries})
          for (Index lag = 1; lag <= 3; ++lag) table.values(t, s) += 0.1 * table.values(t - lag, cause);
    found += nature::adjustments(table, {}).empty() ? 0 : 1;
  }
  CHECK(found <= 2);  // 2 % and one
}

TEST_CASE("a steep line and a strong season are found, though the own past forecasts them", "[lag]") {
  for (const double size : {3.0, 30.0, 300.0}) {
    INFO("size " << size);
    const SeriesTable both = independent(400, 4, 0.3, Random(2950), [&](Index t, Index s, const auto& u) {
      const auto step = static_cast<double>(t);
      return size * (1 + u(s, 0)) * (step / 40 + turn(step / 12 + u(s, 1)) + 0.3 * turn(step / 6 + u(s, 2)));
    });
    const auto found = nature::adjustments(both, {});
    REQUIRE(found.size() == 2);
    for (const nature::Adjustment& one : found) {
      CHECK(one.shared_by == 4);
      if (one.kind == nature::CourseKind::trend)
        CHECK(one.sentence == "A linear trend, shared by 4 series, is held fixed (1 column).");
      else
        CHECK(one.sentence == "A course of 12 steps, shared by 4 series, is held fixed (4 columns).");
    }
    const SeriesTable high =
        independent(400, 4, 0.3, Random(2960), [&](Index t, Index, const auto&) { return t >= 170 ? size : 0.0; });
    const auto step = nature::adjustments(high, {});
    REQUIRE(step.size() == 1);
    CHECK(std::fabs(static_cast<double>(step[0].row) - 170) <= 1);
    CHECK(step[0].sure);
  }
}

TEST_CASE("an oscillation that fades, or a walk that drifts, is no season", "[lag][statistics]") {
  int seasons = 0;
  for (std::uint64_t k = 0; k < 20; ++k) {
    SeriesTable hills = independent(400, 4, 0, Random(2970 + k)), walks = independent(400, 4, 1, Random(2970 + k));
    for (Index t = 2; t < 400; ++t)
      hills.values.row(t) += 1.86 * hills.values.row(t - 1) - 0.97 * hills.values.row(t - 2);
    for (Index t = 0; t < 400; ++t) walks.values.row(t).array() += 0.5 * static_cast<double>(t);
    for (const SeriesTable& table : {hills, walks}) {
      nature::AdjustmentSettings only;
      only.trends = only.steps = false;
      seasons += nature::adjustments(table, only).empty() ? 0 : 1;
    }
  }
  CHECK(seasons <= 2);  // 2 % and one
}

TEST_CASE("means of recordings are taken out where they differ", "[lag]") {
  SeriesTable panel = independent(400, 2, 0.3, Random(2980));
  panel.recording_starts = {0, 50, 100, 150, 200, 250, 300, 350};
  CHECK(nature::adjustments(panel, {}).empty());
  CHECK(series::possible_random_walks(panel).empty());
  for (Index t = 0; t < 400; ++t) panel.values(t, 1) += 20 * turn(static_cast<double>(t / 50) / 3.3);
  const auto found = nature::adjustments(panel, {});
  REQUIRE(found.size() == 1);
  CHECK(found[0].sentence ==
        "Levels that differ between the 8 recordings, in 1 series, are held fixed: each recording's mean is taken out "
        "(7 columns).");
  CHECK(series::possible_random_walks(panel).empty());
  nature::AdjustmentSettings none;
  none.trends = none.steps = false;
  for (const nature::Adjustment& one : nature::adjustments(panel, none)) CHECK(one.kind == nature::CourseKind::season);
}

TEST_CASE("a far lag is chosen where it is sure, or the lags beside it agree", "[lag][statistics]") {
  int far = 0, lost = 0;
  for (std::uint64_t k = 0; k < 40; ++k) {
    SeriesTable table = independent(400, 8, 0.5, Random(2990 + k));
    far += series::choose_lags(table).lags.back() > 5 ? 1 : 0;
    for (Index t = 399; t >= 20; --t) table.values(t, 1) += 0.5 * table.values(t - 20, 0);
    lost += series::choose_lags(table).lags.back() < 20 ? 1 : 0;
  }
  CHECK(far <= 1);  // 5 % leave the band of the level
  CHECK(lost <= 1);
}

TEST_CASE("The reason of the longest lag is true of one series, and of a table that allows no longer one",
          "[lag_choice]") {
  const auto noise = [](Index steps, Index series) {
    return series::choose_lags(independent(steps, series, 0, Random(960))).reason;
  };
  CHECK_THAT(noise(300, 1), Catch::Contains("autoregression is no larger"));
  CHECK_THAT(noise(400, 3), Catch::Contains("no two prewhitened series are significantly correlated at longer lags"));
  const std::string wide = noise(200, 500);  // 2000 / 500 lags are searched at most
  CHECK_THAT(wide, Catch::Contains("no longer one is searched"));
  CHECK_THAT(wide, !Catch::Contains("at longer lags"));
}

TEST_CASE("conditions are of mean 0, do not depend on each other, and follow a step over the lags", "[lag]") {
  SeriesTable table = independent(400, 3, 0.3, Random(2600));
  nature::AdjustmentSettings settings;
  settings.periods = {7, 14};  // of which the second holds the first
  settings.degree = 2;
  settings.rows = {100, 100, 250};
  const auto found = nature::adjustments(table, settings);
  const Matrix<double> held = nature::conditions(found, table.steps(), 3);
  const Matrix<double> products = held.transpose() * held / 400.0;
  CHECK((products - Matrix<double>::Identity(held.cols(), held.cols())).cwiseAbs().maxCoeff() < 1e-9);
  CHECK(held.colwise().mean().cwiseAbs().maxCoeff() < 1e-12);
  Vector<double> pulse = Vector<double>::Zero(400);  // a cause's step, one step later, is held too
  pulse.tail(299).setOnes();
  pulse.array() -= pulse.mean();
  CHECK((pulse - held * (held.transpose() * pulse) / 400.0).norm() < 1e-9);
}

TEST_CASE("missing cells, recordings and constants are no obstacle to adjustments", "[lag]") {
  SeriesTable table = independent(400, 4, 0.4, Random(2700),
                                  [](Index t, Index, const auto&) { return 2 * turn(static_cast<double>(t) / 12); });
  table.values.col(3).setConstant(5);
  for (Index t = 0; t < 400; t += 9) table.values(t, 1) = kNan;
  table.recording_starts = {0, 130, 290};
  const auto found = nature::adjustments(table, {});
  REQUIRE(found.size() == 1);
  CHECK(found[0].period == 12);
  CHECK(found[0].shared_by == 3);
  CHECK(found[0].columns.allFinite());
}

TEST_CASE("what is given is taken out of the table and conditioned on at each lag", "[lag]") {
  const SeriesTable table = independent(200, 3, 0.4, Random(2800));
  const nature::GivenColumns apart = nature::set_apart(table, {1});
  CHECK(apart.table.names == std::vector<std::string>{"s0", "s2"});
  CHECK(apart.table.values.col(1) == table.values.col(2));
  const Matrix<double> held = nature::given_conditions(apart.columns, {1, 4}, {0, 100});
  CHECK(held.cols() == 3);
  CHECK(held(50, 2) == table.values(46, 1));
  CHECK(held(102, 2) == table.values(100, 1));
  CHECK_THROWS_AS(nature::set_apart(table, {0, 1, 2}), ArgumentError);
}

TEST_CASE("A far lag that nearer ones explain is tried, but not searched", "[lag][lag_choice][statistics]") {
  int tried = 0, searched = 0, kept = 0;
  for (std::uint64_t k = 0; k < 20; ++k) {
    SeriesTable chain = independent(500, 8, 0, Random(3100 + k)), far = chain;  // a chain of three links of two steps
    for (Index t = 7; t < 500; ++t) {
      for (Index i = 1; i < 4; ++i) chain.values(t, i) += 0.8 * chain.values(t - 2, i - 1);
      far.values(t, 1) += 0.6 * far.values(t - 7, 0);
    }
    const series::LagChoice choice = series::choose_lags(chain);
    tried += choice.tried >= 6 ? 1 : 0;  // or the far lag is no more than chance may be
    searched += choice.tried >= 6 && choice.lags.back() >= 6 ? 1 : 0;
    if (choice.tried == 6 && choice.lags.back() < 6)
      CHECK_THAT(choice.reason, Catch::Contains("at lags up to 6 steps") || Catch::Contains("neither at the lags"));
    kept += series::choose_lags(far).lags.back() >= 7 ? 1 : 0;
  }
  CHECK(tried >= 14);
  CHECK(searched <= 2);
  CHECK(kept == 20);
}

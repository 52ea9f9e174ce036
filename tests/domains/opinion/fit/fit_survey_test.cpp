/// Surveys as people have them: waves as dates, uneven ones, motion that is no influence.

#include "fovea/core/base/storage.hpp"
#include "fovea/core/config/config.hpp"
#include "fovea/core/lab/run_point.hpp"
#include "fovea/core/lab/runner.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/fit/data.hpp"
#include "fovea/domains/opinion/fit/one_window.hpp"
#include "fovea/tests/support/opinion/survey_waves.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

fit::OpinionSeries read_waves(const std::string& path, const std::vector<std::string>& waves, char separator = ',') {
  std::string rows = concat("wave", separator, "answer\n");
  for (const std::string& wave : waves)
    for (int k = 0; k < 12; ++k) rows += concat(wave, separator, 1 + k % 5, "\n");
  write_file(path, rows);
  fit::SurveyPlan plan;
  return fit::survey_series(path, plan);
}

Results fitted(const fit::OpinionSeries& series, const std::string& toml) {
  const support::TemporaryFolder folder;
  std::string rows = "wave,answer\n";
  for (std::size_t t = 0; t < series.times.size(); ++t)
    for (const double answer : series.samples[t]) rows += concat(series.times[t], ",", answer, "\n");
  write_file(folder.file("s.csv"), rows);
  return support::run_of("opinion.fit",
                         concat("fit.data = \"file\"\ndata.file = \"", folder.file("s.csv"),
                                "\"\ndata.value = \"answer\"\nfit.components = 1\nfit.nodes = 21\n", toml));
}

bool says(const Results& results, const std::string& text) { return results.verdict().find(text) != std::string::npos; }

}  // namespace

TEST_CASE("waves may be dates, and steps are in proportion to the time between them", "[fit]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("s.csv");
  const std::vector<Index> quarters{1, 2, 4};
  for (const std::vector<std::string>& waves :
       std::vector<std::vector<std::string>>{{"2019-01", "2019-04", "2019-10", "2020-10"},
                                             {"201901", "201904", "201910", "202010"},
                                             {"2020-10-15", "2019-10-15", "2019-01-15", "2019-04-15"},
                                             {"20190101", "20190401", "20191001", "20201001"},
                                             {"2019Q1", "2019Q2", "2019Q4", "2020Q4"},
                                             {"2019.0", "2019.25", "2019.75", "2020.75"}}) {
    const fit::OpinionSeries series = read_waves(path, waves);
    INFO(waves[0]);
    CHECK(series.gaps == quarters);
    CHECK(std::abs(series.times[0] - 2019) < 0.05);
    CHECK(std::abs(series.times[3] - 2020.77) < 0.03);
    CHECK(series.notes.back().find("The waves are not evenly spaced") == 0);
    CHECK(series.notes.back().find("a period is 0.25") != std::string::npos);
  }
  CHECK(read_waves(path, {"2019,5", "2020,5", "2022,5"}, ';').gaps == std::vector<Index>{1, 2});
  CHECK_THROWS_WITH(read_waves(path, {"3/4/2019", "4/4/2019"}),
                    Catch::Contains("'3/4/2019' can begin with the day or the month"));
  CHECK_THROWS_WITH(read_waves(path, {"2019-01", "2"}),
                    Catch::Contains("row 14") && Catch::Contains("this wave is a number, but those before are dates."));
  CHECK_THROWS_WITH(read_waves(path, {"spring", "autumn"}), Catch::Contains("spring"));
}

TEST_CASE("answers in words are read in the order that is told", "[fit]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("s.csv");
  const std::vector<std::string> words{"no", "rather no", "yes", "don't know", ""};
  const auto write = [&](const std::string& more) {
    std::string rows = "wave,answer\n";
    for (int wave = 0; wave < 2; ++wave)
      for (std::size_t k = 0; k < 40; ++k) rows += concat(wave, ",", words[k % words.size()], "\n");
    write_file(path, rows + more);
  };
  const auto read = [&](const std::vector<std::string>& levels) {
    fit::SurveyPlan plan;
    plan.columns.levels = levels;
    plan.columns.scale = levels.empty() ? "" : "1..4";
    if (!levels.empty()) plan.columns.missing = {"don't know"};
    return fit::survey_series(path, plan);
  };
  write("");
  const fit::OpinionSeries series = read({"no", "rather no", "rather yes", "yes"});
  CHECK(std::vector<double>(series.samples[0].begin(), series.samples[0].begin() + 3) == std::vector<double>{1, 2, 4});
  CHECK(series.samples[0].size() == 24);
  CHECK(series.grid.points == std::vector<double>{1, 2, 3, 4});
  CHECK(series.notes[1] == "32 of 80 rows have no answer and are left out.");
  CHECK_THROWS_WITH(read({}), Catch::Contains("column 'answer' holds words alone: ") &&
                                  Catch::Contains("'no' (16 rows)") &&
                                  Catch::Contains("the lowest first, with data.levels (--levels)"));
  CHECK_THROWS_WITH(read({"no", "rather  no", "yes"}),
                    Catch::Contains("'rather no' is none of data.levels; did you mean 'rather  no'?"));
  CHECK_THROWS_WITH(read({"no", "yes"}), Catch::Contains("or to data.missing if it is no answer."));
}

TEST_CASE("a shift of all answers is told as a drift, without a T that would be taken for influence", "[fit]") {
  const Results results = fitted(support::survey_waves(Random(4), 300, 7, 0.25), "fit.held_out = 0\n");
  INFO(results.verdict());
  CHECK(says(results, "a drift describes it best: all opinions shift by 0."));
  CHECK_FALSE(says(results, "The fit gives T"));
  REQUIRE(results.headlines().size() == 2);
  CHECK(results.headlines()[0].variable == "drift_estimate");
  const double in_answers = 0.25 * 6 / 4;  // a standard deviation is 6 / 4 points of the scale
  CHECK(std::abs(results.data.at("drift_estimate").reals()[0] - in_answers) <
        0.08);  // four errors: 1.5 / 300^(1/2) / 4
}

TEST_CASE("what accounts for motion follows from what each explanation adds to the other", "[fit]") {
  CHECK(fit::account_of(1, 2, 4) == fit::Account::none);
  CHECK(fit::account_of(1, 40, 41) == fit::Account::attention);
  CHECK(fit::account_of(40, 1, 42) == fit::Account::drift);
  CHECK(fit::account_of(40, 41, 42) == fit::Account::either);
  CHECK(fit::account_of(20, 30, 60) == fit::Account::both);
}

TEST_CASE("a swept truth is compared run by run, and its axis is called by what the key means", "[fit][figures]") {
  const support::TemporaryFolder folder;
  const auto experiment = fit::make_fit();
  const Config config = support::config_of(
      *experiment,
      "fit.components = 1\nfit.nodes = 21\nfit.rivals = false\nfit.held_out = "
      "0\n"
      "truth.separation = 0.0\ntruth.spread = 0.8\ntruth.agents = 300\ntruth.periods = 5\ntruth.sample = 500\n"
      "sweep.truth.temperature = [0.1, 0.3, 0.9]\nsweep.seeds = 2\n");
  RunOptions options;
  options.output = folder.path();
  const Results merged = read_results(run_experiment(*experiment, config, "", options, silent_narrator()).directory);
  CHECK(merged.data.at("temperature_median_error").reals()[0] < 0.3);  // against another run's truth it is 2 and more
  REQUIRE_FALSE(merged.figures().empty());
  CHECK(merged.figures()[0].name == "temperature_estimate_over_sweep");
  CHECK(merged.figures()[0].title == "Temperature against T");
  CHECK(merged.figures()[0].references.size() == 1);
}

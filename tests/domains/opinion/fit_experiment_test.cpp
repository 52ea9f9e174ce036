/// opinion.fit and opinion.moderation as a whole: in small, and with the same bits for any number of threads.

#include "fovea/core/base/storage.hpp"
#include "fovea/core/config/config.hpp"
#include "fovea/core/data/dataset_merge.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/fit/data.hpp"
#include "fovea/domains/opinion/fit/outcome.hpp"
#include "fovea/tests/support/opinion/survey_waves.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

const std::string kSmallFit =
    "fit.components = 1\nfit.nodes = 21\ntruth.separation = 0.0\ntruth.spread = 0.8\ntruth.agents = 300\n"
    "truth.periods = 7\ntruth.sample = 300\ntruth.stubbornness = 0.2\n";

std::string hash_with_threads(int threads) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(threads);
  const std::string hash = content_hash(
      support::swept_run_of(*fit::make_fit(), kSmallFit + "fit.window = 4\nfit.stride = 2\nfit.rivals = false\n", 1)
          .data);
  omp_set_num_threads(before);
  return hash;
}

std::string table_of(const fit::OpinionSeries& series) {
  std::string rows = "year;id;answer;w\n";
  std::size_t person = 0;
  for (std::size_t t = 0; t < series.times.size(); ++t)
    for (const double answer : series.samples[t]) {
      rows += concat(series.times[t], ";p", person, ";", answer, ";", person % 3 == 0 ? "1,5" : "1", "\n");
      ++person;
    }
  return rows;
}

}  // namespace

TEST_CASE("a fit has the same bits with 1, 2, 3 and 5 threads", "[fit][threads][long]") {
  const std::string one = hash_with_threads(1);
  for (const int threads : {2, 3, 5}) CHECK(hash_with_threads(threads) == one);
}

TEST_CASE("the fit of a small society says what it found, and what rivals say", "[fit]") {
  const Results merged = support::swept_run_of(*fit::make_fit(), kSmallFit, 1);
  CHECK(merged.verdict().find("he fit gives T = ") != std::string::npos);  // claimed or compared
  CHECK(merged.checks().size() == 2);
  const auto& gain = merged.data.at("log_likelihood").reals();
  REQUIRE(gain.size() == opinion::fit::kExplanations.size());
  CHECK(gain[0] == 0);
  constexpr double kOfSearches = 0.01;  // of log likelihood: what contains another explanation is not worse
  CHECK(gain[static_cast<std::size_t>(fit::Explanation::attention)] > 10);
  CHECK(gain[static_cast<std::size_t>(fit::Explanation::attention_drift)] >
        gain[static_cast<std::size_t>(fit::Explanation::attention)] - kOfSearches);
  CHECK(gain[static_cast<std::size_t>(fit::Explanation::attention_drift)] >
        gain[static_cast<std::size_t>(fit::Explanation::drift)] - kOfSearches);
}

TEST_CASE("several seeds are examined for coverage", "[fit]") {
  const Results merged =
      support::swept_run_of(*fit::make_fit(), kSmallFit + "fit.rivals = false\nfit.held_out = 0\n", 3);
  CHECK(merged.data.at("run_temperature").reals().size() == 3);
  CHECK(merged.checks().size() == 4);
  CHECK(merged.verdict().find("Over 3 simulated series") == 0);
}

TEST_CASE("one window of a file has a verdict with its rivals, on a grid and on any numbers", "[fit]") {
  const support::TemporaryFolder folder;
  const Random random(3);
  const auto experiment = fit::make_fit();
  for (const bool grid : {true, false}) {
    std::string rows = "congress,chamber,nominate_dim1\n";
    for (std::uint64_t wave = 0; wave < 4; ++wave)
      for (std::uint64_t k = 0; k < 60; ++k) {
        const double answer = std::clamp(random.normal(k, wave) / 2, -1.0, 1.0);
        rows += concat(77 + wave, ",Senate,", grid ? std::round(3 * answer) / 3 : answer, "\n");
      }
    write_file(folder.file("waves.csv"), rows);
    const Results merged =
        support::swept_run_of(*experiment,
                              concat("fit.data = \"file\"\ndata.file = \"", folder.file("waves.csv"),
                                     "\"\nfit.first = 77\nfit.last = 80\nfit.components = 1\nfit.nodes = 21\n"),
                              1);
    CHECK(merged.data.at("answer_points").reals()[0] == (grid ? 7 : 0));
    CHECK(merged.verdict().find("No motion is found") == 0);
    CHECK(merged.verdict().find("The fit gives T = ") == std::string::npos);
    REQUIRE(merged.headlines().size() == 1);  // no T and s that would mean nothing
    CHECK(merged.headlines()[0].variable == "motion_p");
    CHECK(merged.verdict().find("attention and drift") != std::string::npos);
  }
}

TEST_CASE("crowds that never move are examined for false claims, on a scale too", "[fit]") {
  const Results merged = support::swept_run_of(
      *fit::make_fit(), kSmallFit + "fit.rivals = false\nfit.held_out = 0\ntruth.points = 7\n", 1);
  CHECK(merged.data.at("answer_points").reals()[0] == 7);
  std::string still = kSmallFit;
  still.replace(still.find("truth.stubbornness = 0.2"), 24, "truth.stubbornness = 1.0");
  const Results unmoved =
      support::swept_run_of(*fit::make_fit(), still + "fit.rivals = false\nfit.held_out = 0\ntruth.points = 5\n", 4);
  REQUIRE(unmoved.checks().size() == 1);
  CHECK(unmoved.checks()[0].name == "false_claims");
  CHECK(unmoved.verdict().find("of 4 simulated series of a crowd that never moves") != std::string::npos);
}

TEST_CASE("a fit names what its config lacks", "[fit][fault]") {
  const auto experiment = fit::make_fit();
  Complaints complaints;
  experiment->check(support::config_of(*experiment, "fit.data = \"file\"\nfit.first = 80\nfit.last = 70\n"),
                    complaints);
  REQUIRE(complaints.lines().size() == 2);
  CHECK(complaints.lines()[0].find("voteview.com") != std::string::npos);
  CHECK(complaints.lines()[1].find("fit.last comes before fit.first") != std::string::npos);
  Complaints window;
  experiment->check(support::config_of(*experiment, "fit.window = 40\n"), window);
  CHECK_FALSE(window.empty());
}

TEST_CASE("a fit reads periods of a chamber, and refuses a file with a mistake before it runs", "[fit][fault]") {
  const support::TemporaryFolder folder;
  write_file(folder.file("m.csv"),
             "congress,chamber,icpsr,nominate_dim1\n77,Senate,1,0.1\n77,Senate,2,0.2\n78,Senate,1,0.1\n78,House,9,0\n");
  const fit::OpinionSeries series = fit::senate_series(folder.file("m.csv"), "Senate", 77, 80);
  CHECK(series.times == std::vector<double>{1941, 1943});
  CHECK(series.samples[0] == std::vector<double>{0.1, 0.2});
  CHECK(std::isnan(series.stayed[0]));
  CHECK(series.stayed[1] == 1);
  CHECK_THROWS_AS(fit::senate_series(folder.file("m.csv"), "Senate", 78, 80), DataError);
  write_file(folder.file("bad.csv"), "congress,nominate_dim1\n77,0.1\n78,nine\n");
  const auto experiment = fit::make_fit();
  Config config = support::config_of(*experiment, "fit.data = \"file\"\n");
  config.set("data.file", folder.file("bad.csv"), {});
  CHECK_THROWS_AS(experiment->open(config), DataError);
  config.set("data.file", folder.file("m.csv"), {});
  config.set("fit.first", std::int64_t{77}, {});
  config.set("fit.held_out", std::int64_t{1}, {});
  CHECK_THROWS_WITH(experiment->check_inputs(config, experiment->open(config)),
                    Catch::Contains("a window has 1 of the 2 periods; it must have at least 2."));
}

TEST_CASE("windows go by the stride and end with the series", "[fit]") {
  fit::FitPlan plan;
  plan.window = 4;
  CHECK(fit::window_starts(plan, 9) == std::vector<std::size_t>{0});
  plan.stride = 3;
  CHECK(fit::window_starts(plan, 10) == std::vector<std::size_t>{0, 3, 6});
  CHECK(fit::window_starts(plan, 9) == std::vector<std::size_t>{0, 3, 5});
}

TEST_CASE("a simulated crowd keeps its sample as told, and is measured with the error told", "[fit]") {
  fit::SimulatedTruth truth;
  truth.agents = 200;
  truth.periods = 3;
  truth.sample = 2000;
  truth.temperature = 1e-4;  // nobody hears anybody
  truth.turnover = 0;
  const fit::OpinionSeries kept = fit::simulated_series(truth, Random(2));
  double square = 0;
  for (std::size_t k = 0; k < 2000; ++k) square += std::pow(kept.samples[2][k] - kept.samples[1][k], 2);
  CHECK(std::abs(std::sqrt(square / 2000 / 2) - truth.noise) < 0.01);  // 2000 values: 1.6 %, and what little moves
  truth.turnover = 1;
  const fit::OpinionSeries fresh = fit::simulated_series(truth, Random(2));
  CHECK(fresh.samples[0] == kept.samples[0]);
  CHECK(fresh.samples[1] != kept.samples[1]);
}

TEST_CASE("moderation in small: no weight above its bound, with the same bits for any number of threads",
          "[moderation][threads]") {
  const std::string small = "crowd.honest = 60\nattack.shares = [0.05]\nattack.loudness = [1.0, 9.0]\n";
  const int before = omp_get_max_threads();
  std::vector<std::string> hashes;
  for (const int threads : {1, 3}) {
    omp_set_num_threads(threads);
    const Results merged = support::swept_run_of(*moderation::make_moderation(), small, 1);
    for (const Check& check : merged.checks()) {
      INFO(check.name << ": measured " << check.measured);
      if (check.name == "bound" || check.name == "deaf_to_loudness") CHECK(check.holds());  // the others need a crowd
    }
    CHECK(merged.verdict().find("honest agents captures the crowd above a loudness of ") != std::string::npos);
    hashes.push_back(content_hash(merged.data));
  }
  omp_set_num_threads(before);
  CHECK(hashes[0] == hashes[1]);
}

TEST_CASE("a survey on a scale is read by its columns, and the fit says that nothing moves in answers that do not",
          "[fit][threads]") {
  const support::TemporaryFolder folder;
  write_file(folder.file("survey.csv"), table_of(support::survey_waves(Random(4), 120, 7, 0)));
  const std::string toml = concat("fit.data = \"file\"\ndata.file = \"", folder.file("survey.csv"),
                                  "\"\nfit.components = 1\nfit.nodes = 21\nfit.held_out = 1\ndata.wave = \"year\"\n"
                                  "data.value = \"answer\"\ndata.weight = \"w\"\ndata.scale = \"0..6\"\n");
  const int before = omp_get_max_threads();
  std::vector<std::string> hashes;
  for (const int threads : {1, 2, 3, 5}) {
    omp_set_num_threads(threads);
    const Results results = support::swept_run_of(*fit::make_fit(), toml, 1);
    hashes.push_back(content_hash(results.data));
    CHECK(results.verdict().find("No motion is found") == 0);
    CHECK(results.verdict().find("attention and drift") != std::string::npos);
    CHECK(results.data.at("answer_points").reals()[0] == 7);
    CHECK(std::any_of(results.figures().begin(), results.figures().end(),
                      [](const Figure& figure) { return figure.name == "rivals"; }));
    for (const double gain : results.data.at("log_likelihood").reals()) CHECK(gain < 8);  // it was +142 and more
  }
  omp_set_num_threads(before);
  for (const std::string& hash : hashes) CHECK(hash == hashes[0]);
  write_file(folder.file("survey.csv"), table_of(support::survey_waves(Random(4), 120, 7, 0.25)));
  const Results moved = support::swept_run_of(*fit::make_fit(), toml, 1);
  CHECK(moved.verdict().find("Something moves") == 0);
  CHECK(moved.data.at("log_likelihood").reals()[1] > 10);  // the drift
}

TEST_CASE("a table of a survey has groups, codes and gaps, and each mistake is named", "[fit][fault]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("s.csv");
  fit::SurveyPlan plan;
  survey::AnswerColumns& columns = plan.columns;
  columns.value = "q";
  const auto table = [&](const std::string& more) {
    std::string rows = "wave,q,land,id,w\n";
    for (const int wave : {1, 2, 4})
      for (int k = 0; k < 30; ++k)
        rows += concat(wave, ",",
                       k == 0   ? "NA"
                       : k == 1 ? "9"
                                : concat(1 + (k + wave) % 5),
                       ",", k % 2 ? "DE" : "FR", ",", k, ",", k == 2 ? 0.0 : 1.5, "\n");
    write_file(path, rows + more);
  };
  const auto series = [&] { return fit::survey_series(path, plan); };
  table("");
  columns.missing = {"9"};
  columns.scale = "1..7";
  fit::OpinionSeries read = series();
  CHECK(read.times == std::vector<double>{1, 2, 4});
  CHECK(read.gaps == std::vector<Index>{1, 2});
  CHECK(read.samples[0].size() == 28);
  CHECK(read.grid.points == std::vector<double>{1, 2, 3, 4, 5, 6, 7});
  CHECK(read.notes[0] == "6 of 90 rows have no answer and are left out.");
  CHECK(read.notes[1] == "84 answers in 3 waves.");
  columns.by = {"land"};
  CHECK_THROWS_WITH(series(), Catch::Contains("data.by makes 2 groups (FR, DE); name one by data.only."));
  plan.only = "DE";
  columns.weight = "w";
  columns.respondent = "id";
  read = series();
  CHECK(read.samples[0].size() == 14);
  CHECK(read.weights[0].size() == 14);
  CHECK(read.stayed[1] == 1);
  table("4,1,DE,3,1\n");
  CHECK_THROWS_WITH(series(), Catch::Contains("row 92") && Catch::Contains("'3' has answered in wave 4, DE already."));
  table("4,1,DE,99,-1\n");
  CHECK_THROWS_WITH(series(), Catch::Contains("the weight is -1; it must be >= 0 and finite."));
  table("x,1,DE,99,1\n");
  CHECK_THROWS_AS(series(), DataError);
  table("4,8,DE,99,1\n");
  CHECK_THROWS_WITH(series(), Catch::Contains("off the scale 1..7 is 8 (1 time); if it marks a missing answer"));
  table("5,1,DE,99,1\n");
  CHECK_THROWS_WITH(series(), Catch::Contains("wave 5 has 1 answer; at least 10 are needed."));
  plan.only = "IT";
  CHECK_THROWS_WITH(series(), Catch::Contains("0 waves with answers of 'IT'"));
}

TEST_CASE("answers that heap on round numbers are named, and counted in wider cells", "[fit]") {
  const support::TemporaryFolder folder;
  std::string rows = "wave,q\n";
  const Random random(8);
  for (std::uint64_t wave = 0; wave < 3; ++wave)
    for (std::uint64_t k = 0; k < 500; ++k) {
      const double answer = std::clamp(50 + 20 * random.normal(k, wave), 0.0, 100.0);
      rows += concat(wave, ",", k % 3 == 0 ? std::round(answer) : 10 * std::round(answer / 10), "\n");
    }
  write_file(folder.file("t.csv"), rows);
  fit::SurveyPlan plan;
  survey::AnswerColumns& columns = plan.columns;
  columns.value = "q";
  columns.scale = "0..100";
  const fit::OpinionSeries wide = fit::survey_series(folder.file("t.csv"), plan);
  CHECK(wide.grid.points.size() == 11);
  CHECK(wide.notes.back().find("whole multiples of 10: they heap on round numbers") != std::string::npos);
  CHECK(wide.notes.back().find("data.cell = 1 would count each point") != std::string::npos);
  columns.scale = "-2..100";
  CHECK(fit::survey_series(folder.file("t.csv"), plan).grid.points.front() == -10);  // about -10, 0, 10, ...
  columns.scale = "0..100";
  plan.cell = 1;
  CHECK(fit::survey_series(folder.file("t.csv"), plan).grid.points.size() == 101);
  plan.cell = 10;
  CHECK(fit::survey_series(folder.file("t.csv"), plan).grid.points.size() == 11);
  plan.cell = 0;
  plan.continuous = true;
  CHECK(fit::survey_series(folder.file("t.csv"), plan).grid.empty());
}

TEST_CASE("keys that the kind of data does not read are refused", "[fit][fault]") {
  const auto experiment = fit::make_fit();
  const auto complaints_of = [&](const std::string& toml) {
    Complaints complaints;
    experiment->check(support::config_of(*experiment, toml), complaints);
    std::string all;
    for (const std::string& line : complaints.lines()) all += line + "\n";
    return all;
  };
  CHECK(complaints_of("data.weight = \"w\"\n").find("data.weight is not read") != std::string::npos);
  const support::TemporaryFolder folder;
  support::put_file(folder.file("s.csv"), "year,answer\n");
  CHECK(complaints_of("data.file = \"" + folder.file("s.csv") + "\"\n").find("data.file is not read: fit.data") !=
        std::string::npos);
  CHECK(complaints_of("fit.data = \"file\"\ndata.value = \"q\"\nfit.first = 90\n").find("fit.first is not read") !=
        std::string::npos);
  CHECK(complaints_of("fit.data = \"file\"\ndata.value = \"q\"\ndata.scale = \"7..1\"\n").find("the lower one first") !=
        std::string::npos);
  CHECK(complaints_of("fit.data = \"file\"\ndata.value = \"q\"\ndata.only = \"DE\"\n").find("names no column") !=
        std::string::npos);
}

/// The runs of a folder side by side: what a manifest keeps of each, the table, index.html.

#include "fovea/core/lab/directory/run_index.hpp"

#include <chrono>
#include <fstream>
#include <thread>

#include "fovea/core/base/storage.hpp"
#include "fovea/core/lab/directory/run_table.hpp"
#include "fovea/core/lab/runner.hpp"
#include "fovea/core/report/report.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"
#include "fovea/tests/support/toy_experiment.hpp"

namespace fovea {
namespace {

using support::ToyExperiment;

RunSummary walk_in(const std::string& folder, const support::Changes& changes) {
  const ToyExperiment toy;
  RunOptions options;
  options.output = folder;
  options.threads = options.jobs = 1;
  return run_experiment(toy, support::config_of(toy, changes), "", options, silent_narrator());
}

/// A run that exists as its manifest alone.
void write_run(const std::string& folder, const std::string& name, const Manifest& manifest) {
  const RunDirectory directory(folder + '/' + name);
  make_folder(directory.place());
  write_manifest(directory, manifest);
}

Manifest manifest_with(const std::string& label, double value) {
  Manifest manifest;
  manifest.experiment = "test.walk";
  manifest.state = RunState::finished;
  manifest.started = manifest.ended = "2026-01-31T12:00:00Z";
  manifest.digest.emplace();
  manifest.digest->numbers.push_back({.label = label, .variable = "end", .units = "m", .value = value, .error = 0.5});
  return manifest;
}

std::string index_of(const std::string& folder) { return read_file(folder + "/index.html"); }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a manifest keeps what a list of runs shows of one", "[lab][index]") {
  const TemporaryFolder folder(support::memory_disk());
  walk_in(folder.path(), {"steps=3", "speed=2"});
  const std::vector<RunStatus> runs = statuses_in(folder.path(), true);
  REQUIRE(runs.size() == 1);
  REQUIRE(runs[0].manifest.digest);
  const RunDigest& digest = *runs[0].manifest.digest;
  CHECK(digest.title == "a random walk");
  CHECK(digest.verdict == "walked.");
  CHECK(digest.checks == 1);
  REQUIRE(digest.numbers.size() == 1);
  CHECK(digest.numbers[0].label == "last position");
  CHECK(std::isfinite(digest.numbers[0].value));
  CHECK(std::isnan(digest.numbers[0].predicted));
  CHECK(changed_keys_text(runs[0]) == "steps = 3, speed = 2.0");
  CHECK_FALSE(exists(Place(folder.path()) / "index.html"));  // one run is no list
}

TEST_CASE("a digest is the same when it is read back", "[lab][index]") {
  RunDigest digest{.title = "t", .verdict = "v", .picture = "figures/a.svg", .checks = 5, .failed_checks = 2};
  digest.numbers.push_back({.label = "l (a = 1)", .variable = "x", .units = "m", .low = 1, .high = 2, .count = 9});
  digest.keys.push_back({"speed", "0.1, 0.2", "0.5", true});
  const RunDigest read = parse_digest(to_json(digest));
  CHECK(to_json(read) == to_json(digest));
  CHECK(read.numbers[0].text() == "1 to 2");
  CHECK(std::isnan(read.numbers[0].value));
  CHECK(read.keys[0].text() == "speed in {0.1, 0.2}");
}

TEST_CASE("a range of a sweep is of the points that have a value, and says of how many", "[lab][index]") {
  const auto results_with = [](int values) {
    std::vector<double> ends(9, kNan);
    for (int i = 0; i < values; ++i) ends[static_cast<std::size_t>(i)] = i;
    Results results;
    results.data.dimension("speed", ends.size());
    results.data.add({"speed", {"speed"}, std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}, "m/s", "speed", {}});
    results.data.add({"end", {"speed"}, ends, "m", "end", {}});
    results.headline({.variable = "end", .label = "last position"});
    return results;
  };
  const RunDigest many = digest_of(results_with(4)), one = digest_of(results_with(1));
  REQUIRE(many.numbers.size() == 1);
  CHECK(many.numbers[0].text() == "0 to 3");
  CHECK(many.numbers[0].count == 4);
  CHECK(one.numbers.at(0).text() == "0");
  CHECK(contains(draw_page(results_with(4), {}), "range over 4 of 9 points; the others have no value"));
  CHECK(contains(draw_page(results_with(9), {}), "range over 9 points<"));
}

TEST_CASE("from the second run on a folder has a page of all, failed ones too", "[lab][index]") {
  const TemporaryFolder folder(support::memory_disk());
  walk_in(folder.path(), {"steps=3"});
  CHECK_THROWS(walk_in(folder.path(), {"fails=true"}));
  const std::string page = index_of(folder.path());
  CHECK(contains(page, "2 runs"));
  CHECK(contains(page, ">failed</span>"));
  CHECK(contains(page, "told to fail"));
  CHECK(contains(page, "fails = true"));
  CHECK_FALSE(contains(page, "http://"));
  CHECK_FALSE(contains(page, "https://"));
}

TEST_CASE("an index.html of somebody else stays, and fails no run", "[lab][index]") {
  const TemporaryFolder folder(support::memory_disk());
  write_file(folder.path() + "/index.html", "my own page");
  walk_in(folder.path(), {"steps=3"});
  walk_in(folder.path(), {"steps=4"});
  CHECK(index_of(folder.path()) == "my own page");
  CHECK_THROWS_AS(write_run_index(folder.path()), DataError);
  renew_run_index("/nowhere/at/all");
}

TEST_CASE("names, titles and verdicts are text on the page of runs", "[lab][index]") {
  const TemporaryFolder folder(support::memory_disk());
  Manifest manifest = manifest_with("<b>label</b>", 1);
  manifest.title = "<script>alert(1)</script>";
  manifest.digest->verdict = "a < b & c";
  write_run(folder.path(), "run of 50% \"and\" #1", manifest);
  write_run(folder.path(), "other", manifest_with("plain", kNan));
  write_run_index(folder.path());
  const std::string page = index_of(folder.path());
  CHECK_FALSE(contains(page, "<script>alert"));
  CHECK(contains(page, "&lt;b&gt;label"));
  CHECK(contains(page, "a &lt; b &amp; c"));
  CHECK(contains(page, "href=\"run%20of%2050%25%20%22and%22%20%231/report.html\""));
  CHECK(contains(page, "data-order=\"1\""));
}

TEST_CASE("processes that write the page of runs at once leave one with all runs", "[lab][index]") {
  const TemporaryFolder folder(support::memory_disk());
  constexpr int kRuns = 24;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int k = t; k < kRuns; k += 4) {
        write_run(folder.path(), "run-" + std::to_string(k), manifest_with("End", k));
        renew_run_index(folder.path());
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(contains(index_of(folder.path()), std::to_string(kRuns) + " runs"));
}

TEST_CASE("a thousand runs are listed in well under a second", "[lab][index]") {
  const TemporaryFolder folder(support::memory_disk());
  for (int k = 0; k < 1000; ++k) write_run(folder.path(), "run-" + std::to_string(k), manifest_with("End", k));
  const auto start = std::chrono::steady_clock::now();
  renew_run_index(folder.path());
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < 2);  // 0.1 s when idle
  CHECK(contains(index_of(folder.path()), "1000 runs"));
}

TEST_CASE("runs are sorted by numbers, then by words, and what is missing is last", "[lab][index]") {
  const TemporaryFolder folder(support::memory_disk());
  for (const auto& [name, value] : {std::pair{"a", 10.0}, {"b", kNan}, {"c", 9.0}})
    write_run(folder.path(), name, manifest_with("Last position", value));
  std::vector<RunTable> tables = run_tables(statuses_in(folder.path(), true));
  const auto order = [&] {
    std::string names;
    for (const RunStatus& run : tables.at(0).runs) names += run_name(run);
    return names;
  };
  CHECK(sort_runs(tables, "last"));  // a part of the label
  CHECK(order() == "cab");
  CHECK(sort_runs(tables, "run"));
  CHECK(order() == "abc");
  CHECK_FALSE(sort_runs(tables, "nothing"));
  const std::string csv = runs_csv(tables);
  CHECK(contains(csv, ",Last position,Last position error,"));
  CHECK(contains(csv, ",10,0.5,,,"));
  CHECK(age_text(90) == "90 s");
  CHECK(age_text(3600) == "60 min");
  CHECK(age_text(86400) == "24 h");
  CHECK(age_text(1e6) == "11 d");
}

}  // namespace fovea

#include <mutex>
#include <thread>

#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/lab/directory/run_status.hpp"
#include "fovea/core/lab/runner.hpp"
#include "fovea/core/lab/sweep/run_sweep.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"
#include "fovea/tests/support/toy_experiment.hpp"

namespace fovea {
namespace {

namespace fs = std::filesystem;
using support::ToyExperiment;

const std::vector<std::string> kThreeSpeeds{"speed=0.1,0.2,0.3"};  // with two seeds six points

RunOptions sweep_options_in(const TemporaryFolder& folder, int jobs = 2) {
  RunOptions options;
  options.output = folder.path();
  options.checkpoint_seconds = 0;
  options.jobs = jobs;
  options.threads = jobs;
  return options;
}

RunSummary sweep_in(const TemporaryFolder& folder, const ToyExperiment& toy, const Config& config, int jobs = 2) {
  return run_experiment(toy, config, "", sweep_options_in(folder, jobs), silent_narrator());
}

}  // namespace

TEST_CASE("a sweep has every combination, the seed last and fastest", "[lab]") {
  const ToyExperiment toy;
  const Sweep sweep(support::swept_config_of(toy, {"speed=0.1,0.2", "steps=3,4,5"}, 2));
  REQUIRE(sweep.size() == 12);
  REQUIRE(sweep.axes().size() == 3);
  CHECK(sweep.axes().back().key == "seed");
  CHECK(sweep.index(0) == std::vector<std::size_t>{0, 0, 0});
  CHECK(sweep.index(7) == std::vector<std::size_t>{1, 0, 1});
  CHECK(sweep.config(7).real("speed") == 0.2);
  CHECK(sweep.config(7).integer("steps") == 3);
  CHECK(sweep.config(7).seed == 6u);
  CHECK(sweep.config(7).sweep.empty());
  Config moved = sweep.config(0);
  for (const std::size_t point : {7, 11, 2}) {
    sweep.move_to(point, moved);
    CHECK(to_toml(moved) == to_toml(sweep.config(point)));
  }
  CHECK(sweep.label(7) == "speed = 0.2, steps = 3, seed = 6");
  CHECK_THROWS_AS(sweep.index(12), ArgumentError);
}

TEST_CASE("a config without a sweep is a sweep of one point with the seed as its axis", "[lab]") {
  const ToyExperiment toy;
  Config config = default_config(toy.name(), toy.schema(), {});
  CHECK_THROWS_AS(Sweep(config), ArgumentError);
  resolve_seed(config, 9);
  const Sweep sweep(config);
  CHECK(sweep.size() == 1);
  CHECK(sweep.label(0) == "seed = 9");
  CHECK(to_text(ConfigValue(std::vector<double>{0.5, 2})) == "[0.5, 2]");
  CHECK(to_text(ConfigValue(true)) == "true");
}

TEST_CASE("rules between keys are checked at every point of a sweep", "[lab]") {
  const ToyExperiment toy;
  OpenInputs opened;
  CHECK_NOTHROW(check_points(toy, support::swept_config_of(toy, {"speed=1,101"}, 1), opened));
  CHECK_THROWS_WITH(check_points(toy, support::swept_config_of(toy, {"speed=1,101", "steps=5,500"}, 3), opened),
                    Catch::Contains("at most 100 steps"));
}

TEST_CASE("merged results have the swept keys and the seed in front", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  const RunSummary summary = sweep_in(folder, toy, support::swept_config_of(toy, kThreeSpeeds, 2));
  const Dataset data = read_dataset(summary.directory.result());
  CHECK(data.at("last").dimensions == std::vector<std::string>{"speed", "seed"});
  CHECK(data.at("path").dimensions == std::vector<std::string>{"speed", "seed", "time"});
  CHECK(data.at("speed").units == "m");
  CHECK(data.at("speed").reals() == std::vector<double>{0.1, 0.2, 0.3});
  CHECK(std::get<std::vector<std::int64_t>>(data.at("seed").values) == std::vector<std::int64_t>{5, 6});
  CHECK(data.attributes.at("experiment") == "test.walk");
  CHECK(summary.results.verdict() == "walked.");
  CHECK(summary.manifest.points == 6);
  const RunStatus status = *find_status(summary.directory.path());
  CHECK(status.state == "finished");
  CHECK(status.finished_points == 6);
}

TEST_CASE("a single seed is still a dimension of a sweep", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  Overrides given;
  given.grid = {"speed=0.1,0.2"};
  const RunSummary summary = sweep_in(folder, toy, support::config_of(toy, given));
  CHECK(summary.results.data.size_of("seed") == 1);
}

TEST_CASE("a sweep has the same bytes for any number of jobs and threads", "[lab][threads]") {
  const ToyExperiment toy;
  std::string first;
  for (const int jobs : {1, 2, 3, 5}) {
    const TemporaryFolder folder(support::memory_disk());
    const std::string bytes =
        read_file(sweep_in(folder, toy, support::swept_config_of(toy, kThreeSpeeds, 2), jobs).directory.result());
    if (first.empty()) first = bytes;
    CHECK(bytes == first);
  }
}

TEST_CASE("threads that finished jobs leave free go to the points that are left", "[lab][threads]") {
  const TemporaryFolder folder(support::memory_disk());
  ToyExperiment toy;
  std::mutex one_at_a_time;
  int fewest = 100, most = 0;
  auto pause = std::chrono::milliseconds(1);
  toy.before_step = [&](int step) {
    std::chrono::milliseconds wait(0);
    {
      const std::lock_guard lock(one_at_a_time);
      const int threads = omp_get_max_threads();
      fewest = std::min(fewest, threads);
      most = std::max(most, threads);
      if (step >= 3 && most < 2) wait = pause *= 2;  // the other worker ends meanwhile, be it after half a minute
    }
    std::this_thread::sleep_for(wait);
  };
  sweep_in(folder, toy, support::swept_config_of(toy, {"steps=1,2,14"}, 1));
  CHECK(fewest == 1);
  CHECK(most == 2);
}

TEST_CASE("a sweep stopped at any step and resumed ends with the same bytes", "[lab]") {
  const ToyExperiment plain;
  const TemporaryFolder whole(support::memory_disk());
  const std::string expected =
      read_file(sweep_in(whole, plain, support::swept_config_of(plain, kThreeSpeeds, 2)).directory.result());
  for (int stop_at = 0; stop_at < 30; stop_at += 4) {
    const TemporaryFolder folder(support::memory_disk());
    StopFlag stop{0};
    ToyExperiment toy;
    toy.before_step = [&](int step) {
      if (step == stop_at) stop = 15;
    };
    RunOptions options = sweep_options_in(folder);
    options.stop = &stop;
    CHECK_THROWS_WITH(
        run_experiment(toy, support::swept_config_of(toy, kThreeSpeeds, 2), "", options, silent_narrator()),
        Catch::Contains("Continue with: fovea resume " + folder.path()));
    stop = 0;
    const RunSummary resumed = sweep_in(folder, toy, support::swept_config_of(toy, kThreeSpeeds, 2));
    CHECK(read_file(resumed.directory.result()) == expected);
    CHECK(toy.steps_taken == 30);  // finished points and saved steps are not computed again
  }
}

TEST_CASE("a failed point does not stop the others; its places are NaN and it is tried again", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  ToyExperiment toy;
  const Config config = support::swept_config_of(toy, {"fails=false,true"}, 2);
  const RunSummary summary = sweep_in(folder, toy, config);
  REQUIRE(summary.failures.size() == 2);
  CHECK(summary.failures[0].label == "fails = true, seed = 5");
  CHECK(summary.failures[0].error == "walk: told to fail.");
  CHECK(summary.manifest.state == RunState::incomplete);
  const std::vector<double>& last = summary.results.data.at("last").reals();
  REQUIRE(last.size() == 4);
  CHECK(std::isfinite(last[1]));
  CHECK(std::isnan(last[2]));
  CHECK_FALSE(read_done(summary.directory).has_value());
  const RunStatus status = *find_status(summary.directory.path());
  CHECK(status.state == "incomplete");
  CHECK(status.finished_points == 2);
  CHECK(status.failures.size() == 2);
  const RunSummary again = sweep_in(folder, toy, config);
  CHECK(again.reused_points == 2);
  CHECK(toy.runs == 6);  // 2 good ones once, 2 bad ones twice
}

TEST_CASE("a sweep in which every point fails has no result, and says why", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  const RunSummary summary = sweep_in(folder, toy, support::swept_config_of(toy, {"fails=true"}, 2));
  CHECK_FALSE(summary.has_result);
  CHECK(summary.failures.size() == 2);
  CHECK_FALSE(exists(summary.directory.result()));
}

TEST_CASE("fail-fast begins no point after the first failure", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  RunOptions options = sweep_options_in(folder, 1);
  options.fail_fast = true;
  const RunSummary summary =
      run_experiment(toy, support::swept_config_of(toy, {"fails=true,false"}, 3), "", options, silent_narrator());
  CHECK(summary.failures.size() == 1);
  CHECK(toy.runs == 1);
}

TEST_CASE("a larger sweep in the same folder computes only what is new", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  sweep_in(folder, toy, support::swept_config_of(toy, kThreeSpeeds, 2));
  CHECK(toy.runs == 6);
  const Config larger = support::swept_config_of(toy, {"speed=0.1,0.2,0.3,0.4"}, 2);
  const RunSummary summary = sweep_in(folder, toy, larger);
  CHECK(summary.reused_points == 6);
  CHECK(toy.runs == 8);
  const TemporaryFolder fresh(support::memory_disk());
  CHECK(read_file(summary.directory.result()) == read_file(sweep_in(fresh, toy, larger).directory.result()));
}

TEST_CASE("a point whose result was damaged is computed again", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  const RunSummary first = sweep_in(folder, toy, support::swept_config_of(toy, kThreeSpeeds, 2));
  const std::string expected = read_file(first.directory.result());
  remove_file(first.directory.done());
  const fs::directory_entry point = *fs::directory_iterator(first.directory.points().path());
  write_file(point.path().string() + "/result.h5", "gone");
  const RunSummary second = sweep_in(folder, toy, support::swept_config_of(toy, kThreeSpeeds, 2));
  CHECK(second.reused_points == 5);
  CHECK(read_file(second.directory.result()) == expected);
}

TEST_CASE("progress counts points, and never runs past the end", "[lab]") {
  class Recorder final : public Narrator {
   public:
    void say(const std::string&) override {}
    void detail(const std::string&) override { ++details; }
    void progress(const Progress& progress) override { last = progress; }
    Progress last;
    int details = 0;
  };
  Recorder recorder;
  ProgressMeter meter(recorder, 4, 1);
  meter.update(1, 0.5);
  CHECK(meter.now().fraction == Approx(1.5 / 4));
  meter.finish(1);
  meter.fail(2);
  meter.update(3, 7.0);
  meter.finish(3);
  CHECK(recorder.last.fraction == 1.0);
  CHECK(recorder.last.finished == 3);
  CHECK(recorder.last.failed == 1);
  CHECK(*recorder.last.seconds_left == 0.0);
  meter.say("a");
  meter.detail("b");
  CHECK(recorder.details == 1);
}

}  // namespace fovea

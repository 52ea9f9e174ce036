#include <atomic>

#include "fovea/core/lab/sweep.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/tasks/toy_task.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

namespace fs = std::filesystem;

/// The toy, counting how often its cases are opened.
class CountingTask final : public study::LearnedTask {
 public:
  explicit CountingTask(std::atomic<int>& opened) : opened_(opened) {}
  std::string_view name() const override { return toy_->name(); }
  std::string_view summary() const override { return toy_->summary(); }
  int result_version() const override { return toy_->result_version(); }
  void keys(Schema& schema) const override { toy_->keys(schema); }
  study::Target target(const Config& config) const override { return toy_->target(config); }
  std::unique_ptr<study::CaseReader> open(const Config& config, const Random& random) const override {
    ++opened_;
    return toy_->open(config, random);
  }

 private:
  std::unique_ptr<study::LearnedTask> toy_ = support::toy_task();
  std::atomic<int>& opened_;
};

/// Cases of three tokens each; group and part as given for a case.
std::string case_file(const support::TemporaryFolder& folder, int cases, const std::function<std::string(int)>& rest) {
  std::string text = "id,time [h],reading [mV],quality,group,part,target\n";
  for (int b = 0; b < cases; ++b)
    for (int i = 0; i < 3; ++i)
      text += concat("c", b, ',', i, ',', (b * 7 + i * 3) % 11, ",1,", rest(b), ',', b % 2, '\n');
  const std::string path = folder.file("cases.csv");
  std::ofstream(path) << text;
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::seconds(100));
  return path;
}

Overrides changes_of(const std::string& file, const std::vector<std::string>& axes = {}) {
  Overrides given;
  given.set = {"data.cases=60", "training.epochs=1", "training.batch_tokens=64", "ensemble.members=1",
               "explain.cases=3"};
  if (!file.empty()) given.set.push_back("data.file=" + file);
  given.grid = axes;
  given.seed = 1;
  if (!axes.empty()) given.seeds = 2;
  return given;
}

std::string by_thirds(int b) {
  const char* const parts[] = {"training", "validation", "test"};
  return concat('g', b, ',', parts[b / 2 % 3]);
}

}  // namespace

TEST_CASE("a study opens its file of cases once for the check and all points of a sweep over other keys",
          "[study][inputs]") {
  const support::TemporaryFolder folder;
  std::atomic<int> count{0};
  const study::Study study(std::make_unique<CountingTask>(count));
  const Config config =
      support::config_of(study, changes_of(case_file(folder, 60, by_thirds), {"split.test=0.2,0.25,0.3"}));
  OpenInputs opened;
  check_points(study, config, opened);
  const Sweep sweep(config);
  REQUIRE(sweep.size() == 6);
  const auto cases = opened.of(study, sweep.config(0)).as<study::Cases>();
  REQUIRE(cases != nullptr);
  CHECK(cases->count() == 60);
  for (std::size_t point = 0; point < sweep.size(); ++point)
    CHECK(opened.of(study, sweep.config(point)).as<study::Cases>() == cases);
  CHECK(count == 1);
}

TEST_CASE("a study runs with the cases that were opened, and opens nothing again", "[study][inputs]") {
  const support::TemporaryFolder folder;
  std::atomic<int> count{0};
  const study::Study study(std::make_unique<CountingTask>(count));
  const Config config = support::config_of(study, changes_of(case_file(folder, 60, by_thirds)));
  const Inputs inputs = study.open(config);
  fs::remove(config.text("data.file"));
  Results results;
  study.run(config, inputs, Random(1), results, *plain_workbench());
  CHECK(results.model() != nullptr);
  CHECK(count == 1);
}

TEST_CASE("simulated cases are nothing to open: each run makes those of its seed", "[study][inputs]") {
  std::atomic<int> count{0};
  const study::Study study(std::make_unique<CountingTask>(count));
  OpenInputs opened;
  check_points(study, support::config_of(study, changes_of("", {"split.test=0.2,0.3"})), opened);
  CHECK(opened.of(study, support::config_of(study, changes_of(""))).empty());
  CHECK(count == 0);
}

TEST_CASE("what a study cannot learn from is refused by the check, before anything is computed",
          "[study][inputs][error]") {
  const support::TemporaryFolder folder;
  const study::Study study(support::toy_task());
  const auto refusal = [&](const std::string& path) {
    OpenInputs opened;
    return support::refusal_of<DataError>(
        [&] { check_points(study, support::config_of(study, changes_of(path)), opened); });
  };
  std::string path = case_file(folder, 6, [](int b) { return concat("g0,", b < 3 ? "training" : "test"); });
  CHECK(refusal(path) ==
        path + ": group 'g0' is in two parts: case 'c0' in training, case 'c3' in test; keep it in one.");
  path = case_file(folder, 6, [](int b) { return concat('g', b, ",training"); });
  CHECK(refusal(path) == path + ": the validation part has 0 cases and no known target; there must be at least one.");
  CHECK(refusal(case_file(folder, 60, by_thirds)).empty());
}

#include <thread>

#include "fovea/core/base/storage.hpp"
#include "fovea/core/lab/arguments.hpp"
#include "fovea/core/lab/directory/folder_lock.hpp"
#include "fovea/core/lab/directory/run_status.hpp"
#include "fovea/core/lab/runner.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"
#include "fovea/tests/support/toy_experiment.hpp"

namespace fovea {
namespace {

using support::ToyExperiment;

RunSummary part_of_walks(const TemporaryFolder& folder, const ToyExperiment& toy, std::optional<Share> share,
                         const std::vector<std::string>& grid = {"speed=0.1,0.2,0.3"}) {
  RunOptions options;
  options.output = folder.path();
  options.checkpoint_seconds = 0;
  options.jobs = options.threads = 1;
  options.share = std::move(share);
  return run_experiment(toy, support::swept_config_of(toy, grid, 2), "", options, silent_narrator());
}

Share these(std::vector<std::size_t> points) { return {1, 1, std::move(points)}; }

std::string bytes_of_one_process() {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  return read_file(part_of_walks(folder, toy, std::nullopt).directory.result());
}

}  // namespace

TEST_CASE("points are written as numbers and ranges", "[lab][errors]") {
  CHECK(points_of("3,7,20-23") == std::vector<std::size_t>{3, 7, 20, 21, 22, 23});
  CHECK(these(points_of("3,1-4,3")).own(5) == std::vector<std::size_t>{1, 2, 3, 4});
  CHECK(Share{2, 3, {}}.own(8) == std::vector<std::size_t>{1, 4, 7});
  CHECK(Share{9, 9, {}}.own(8).empty());
  for (const char* text : {"", "3,", "a", "-1", "1-", "4-2", "1.5", "0-99999999999", "1 2"}) {
    INFO(text);
    CHECK_THROWS_AS(points_of(text), UsageError);
  }
  CHECK_THROWS_WITH(these({5}).own(5), Catch::Contains("there is no point 5; the sweep has 5, counted from 0"));
}

TEST_CASE("points in any order give the bytes of one process, and the last one merges", "[lab]") {
  const std::string expected = bytes_of_one_process();
  const std::vector<std::vector<std::vector<std::size_t>>> orders{{{5}, {0, 2}, {4, 3}, {1}}, {{1, 3, 5}, {0, 2, 4}}};
  for (const auto& order : orders) {
    const TemporaryFolder folder(support::memory_disk());
    const ToyExperiment toy;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const RunSummary part = part_of_walks(folder, toy, these(order[k]));
      const bool last = k + 1 == order.size();
      CHECK(part.has_all == last);
      CHECK(part.computed_points == order[k].size());
      CHECK(exists(part.directory.result()) == last);
      CHECK(find_status(part.directory.path())->state == (last ? "finished" : "interrupted"));
      if (last) CHECK(read_file(part.directory.result()) == expected);
    }
    CHECK(toy.runs == 6);
  }
}

TEST_CASE("a shard does its own points and then those of shards that are not there, the last first", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  const RunSummary first = part_of_walks(folder, toy, these({0}));
  const RunDirectory third = first.directory.point([&] {
    InputFiles none;
    Config config = support::swept_config_of(toy, {"speed=0.1,0.2,0.3"}, 2);
    return run_identity(toy, Sweep(config).config(3), none);
  }());
  make_folder(third.place());
  const std::optional<FolderLock> held = FolderLock::of_point(third);
  const RunSummary shard = part_of_walks(folder, toy, Share{2, 3, {}});
  CHECK(shard.computed_points == 4);  // 1 and 4, then 5 and 2: 0 is finished and 3 is held
  CHECK_FALSE(shard.has_all);
  const RunStatus status = *find_status(shard.directory.path());
  CHECK(status.finished_points == 5);
  REQUIRE(status.shards.size() == 1);
  CHECK(status.shards[0].index == 2);
  CHECK(status.shards[0].count == 3);
  CHECK(status.shards[0].points == 2);
  CHECK(status.shards[0].finished == 4);
  CHECK(status.shards[0].last == "speed = 0.2, seed = 5");
}

TEST_CASE("a process without a share waits for points that others hold, and does them if those end", "[lab][threads]") {
  const std::string expected = bytes_of_one_process();
  const TemporaryFolder folder(support::memory_disk());
  ToyExperiment slow;
  std::atomic<bool> begun{false};
  slow.before_step = [&](int) {
    begun = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  std::thread other([&] { part_of_walks(folder, slow, these({2, 3})); });
  while (!begun) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const ToyExperiment toy;
  const RunSummary whole = part_of_walks(folder, toy, std::nullopt);
  other.join();
  CHECK(read_file(whole.directory.result()) == expected);
  CHECK(toy.runs + slow.runs == 6);
  CHECK(slow.runs >= 1);
}

TEST_CASE("a failed point of another process is not tried again; merge names what is missing", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  Catalogue catalogue;
  catalogue.add(std::make_unique<ToyExperiment>());
  const ToyExperiment toy;
  const std::vector<std::string> grid{"fails=false,true"};
  const RunSummary good = part_of_walks(folder, toy, these({0, 1}), grid);
  const std::string directory = good.directory.path();
  const RunSummary nothing = merge_run(directory, catalogue, {}, silent_narrator());
  CHECK_FALSE(nothing.has_result);
  CHECK(nothing.missing == std::vector<std::string>{"2: fails = true, seed = 5", "3: fails = true, seed = 6"});
  CHECK(part_of_walks(folder, toy, these({2}), grid).failures.size() == 1);
  const RunSummary all = part_of_walks(folder, toy, these({3}), grid);  // whoever finds all finished or failed merges
  CHECK(all.has_result);
  CHECK(all.failures.size() == 2);
  CHECK(all.manifest.state == RunState::incomplete);
  CHECK(toy.runs == 4);
}

TEST_CASE("a point that was damaged without a change of its size is found by the merge", "[lab]") {
  const std::string expected = bytes_of_one_process();
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  const RunSummary part = part_of_walks(folder, toy, these({0, 1, 2}));
  const Place point = part.directory.points() / names_in(part.directory.points()).front();
  std::string bytes = read_file(point / "result.h5");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  write_file(point / "result.h5", bytes);
  const RunSummary whole = part_of_walks(folder, toy, std::nullopt);
  CHECK(whole.reused_points == 3);
  CHECK(toy.runs == 7);
  CHECK(read_file(whole.directory.result()) == expected);
}

}  // namespace fovea

#include "fovea/core/data/dataset_merge.hpp"
#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/data/results.hpp"
#include "fovea/core/lab/cost_meter.hpp"
#include "fovea/core/lab/run_point.hpp"
#include "fovea/tests/support/sanitizers.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

Results timed(double seconds) {
  Results results;
  results.scalar("answer", 42, "1", "answer");
  results.on_this_machine().scalar("seconds", seconds, "s", "time");
  results.on_this_machine().check({"fast", "time", "", 0, seconds, absolute(1)});
  return results;
}

}  // namespace

TEST_CASE("what depends on the machine is no part of the data, nor of the presentation", "[lab]") {
  const Results fast = timed(0.5), slow = timed(3);
  CHECK(content_hash(fast.data) == content_hash(slow.data));
  CHECK(fast.presentation() == slow.presentation());
  CHECK(fast.checks().empty());
  CHECK(Results().machine() == nullptr);
}

TEST_CASE("a reader sees what depends on the machine behind all else", "[lab]") {
  const Results all = timed(3).with_machine();
  CHECK(all.data.at("answer").reals()[0] == 42);
  CHECK(all.data.at("seconds").reals()[0] == 3);
  REQUIRE(all.checks().size() == 1);
  CHECK(!all.checks()[0].holds());
  CHECK(all.machine() == nullptr);
}

TEST_CASE("copies of results do not share what depends on the machine", "[lab]") {
  const Results first = timed(1);
  Results second = first;
  second.on_this_machine().scalar("seconds", 2, "s", "time");
  CHECK(first.machine()->data.at("seconds").reals()[0] == 1);
}

TEST_CASE("points of a sweep are merged with what depended on the machine, apart", "[lab]") {
  const Results a = timed(1), b = timed(2);
  const MergeAxis axis{"seed", std::vector<std::int64_t>{1, 2}, "1", "seed"};
  const Results merged = merge_results({axis}, {&a, &b});
  CHECK(!merged.data.has("seconds"));
  REQUIRE(merged.machine() != nullptr);
  CHECK(merged.machine()->data.at("seconds").reals() == std::vector<double>{1, 2});
  CHECK(merge_results({axis}, {&a, nullptr}).machine()->data.at("seconds").reals()[0] == 1);
}

TEST_CASE("machine.h5 is read back beside its result, and goes when nothing depends on the machine", "[lab]") {
  const support::TemporaryFolder folder;
  const RunDirectory directory(folder.path());
  Results results = timed(7);
  results.data.documents["presentation"] = results.presentation();
  write_machine(directory, results);
  write_dataset(directory.result(), results.data);
  const Results back = read_results(directory);
  REQUIRE(back.machine() != nullptr);
  CHECK(back.machine()->data.at("seconds").reals()[0] == 7);
  CHECK(back.with_machine().checks().size() == 1);
  write_machine(directory, Results());
  CHECK(!exists(directory.machine()));
}

TEST_CASE("a cost is processor time and the memory that was in use when the work said so", "[lab]") {
  constexpr std::size_t kBytes = 3 << 20;
  int calls = 0;
  double sum = 0;
  const Cost cost = cost_of(
      [&](const LookAtMemory& look) {
        std::vector<char> memory(kBytes, 1);
        look();
        for (int i = 0; i < 200000; ++i) sum += std::sqrt(static_cast<double>(i + memory[0]));
        ++calls;
      },
      0.05);
  CHECK(calls > 1);
  CHECK(cost.cpu_seconds > 0);
  CHECK(cost.cpu_seconds < 0.1);
  if (!support::address_sanitizer()) {  // its allocator is not the C library's, which is asked
    CHECK(cost.peak_bytes >= static_cast<double>(kBytes));
    CHECK(cost.peak_bytes < 1.1 * static_cast<double>(kBytes));
  }
  CHECK_THROWS_AS(cost_of([](const LookAtMemory&) { throw ArgumentError("no"); }, 0), ArgumentError);
}

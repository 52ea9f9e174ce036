/// Rows that ranks hold and save: a checkpoint of some ranks is taken up by any others.

#include "fovea/core/lab/checkpoint/own_rows.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/archive.hpp"
#include "fovea/core/lab/workbench.hpp"
#include "fovea/tests/support/catch.hpp"
#include "fovea/tests/support/folders.hpp"
#include "fovea/tests/support/ranks/thread_ranks.hpp"

namespace fovea {
namespace {

constexpr Index kRows = 5 * kRankBlock / 2;

/// Row i of a run whose step is `step`.
double row_of(Index i, std::int64_t step) { return static_cast<double>(i) + 0.5 * static_cast<double>(step); }

Matrix<double> rows_of(RankPart part, std::int64_t step) {
  Matrix<double> rows(part.count, 1);
  for (Index i = 0; i < part.count; ++i) rows(i, 0) = row_of(part.first + i, step);
  return rows;
}

Dataset state_of(std::int64_t step) {
  return saved_state([&](const Archive& archive) { archive("step", step); });
}

/// Saves at step `step` as `size` ranks, which go on from what is there.
void save(const std::string& folder, int size, Index total, std::int64_t step) {
  support::as_ranks(size, 1, [&](const Ranks& ranks) {
    BenchPlan plan;
    plan.folder = folder;
    plan.interval_seconds = 0;
    plan.ranks = &ranks;
    LabWorkbench bench(plan);
    const RankPart part = rank_part(total, ranks);
    Matrix<double> rows(part.count, 1);
    bench.own_rows(rows, part, total);
    bench.restored();
    rows = rows_of(part, step);
    bench.checkpoint([&] { return state_of(step); });
  });
}

/// The step that `size` ranks go on from; 0: none; -1: with other rows than those of that step.
std::int64_t step_found(const std::string& folder, int size, Index total) {
  std::vector<std::int64_t> found(size, -2);
  support::as_ranks(size, 1, [&](const Ranks& ranks) {
    BenchPlan plan;
    plan.folder = folder;
    plan.ranks = &ranks;
    LabWorkbench bench(plan);
    const RankPart part = rank_part(total, ranks);
    Matrix<double> rows(part.count, 1);
    bench.own_rows(rows, part, total);
    std::int64_t step = 0;
    if (const auto state = bench.restored())
      restore_state(*state, [&](const Archive& archive) { archive("step", step); });
    found[ranks.rank()] = step == 0 || rows == rows_of(part, step) ? step : -1;
  });
  for (const std::int64_t one : found)
    if (one != found[0]) return -1;
  return found[0];
}

TEST_CASE("a checkpoint of any number of ranks is taken up by any other", "[ranks][lab]") {
  for (const Index total : {Index{100}, kRows}) {
    const support::TemporaryFolder folder;
    std::int64_t step = 0;
    CHECK(step_found(folder.path(), 2, total) == 0);
    for (const int size : {3, 1, 7, 2}) {
      save(folder.path(), size, total, ++step);
      for (const int other : {1, 2, 3, 7}) CHECK(step_found(folder.path(), other, total) == step);
    }
    remove_checkpoints(folder.path());
    CHECK(names_in(folder.path()).empty());
  }
}

TEST_CASE("a checkpoint with rows that are damaged or missing is left for the one before", "[ranks][lab]") {
  for (const bool missing : {true, false}) {
    const support::TemporaryFolder folder;
    save(folder.path(), 3, kRows, 1);
    save(folder.path(), 3, kRows, 2);
    const Place damaged = Place(folder.path()) / concat("checkpoint-0-from-", kRankBlock, ".h5");
    REQUIRE(exists(damaged));
    if (missing)
      remove_file(damaged);
    else
      write_file(damaged, read_file(damaged) + "x");
    for (const int size : {1, 2, 3}) CHECK(step_found(folder.path(), size, kRows) == 1);
  }
}

TEST_CASE("rows within a state that are missing or of another size are refused, and others come back", "[ranks][lab]") {
  Matrix<double> rows(3, 1);
  rows << 1, 2, 3;
  const OwnRows own{&rows, {0, 3}, 3};
  Dataset state = state_of(1), other = state_of(1);
  CHECK_THROWS_WITH(take_own_rows(own, other), "checkpoint: it has no rows of its own; it belongs to another run.");
  add_own_rows(own, state);
  other = state;
  CHECK_THROWS_WITH(take_own_rows({&rows, {0, 4}, 4}, other),
                    "checkpoint: it has 3 numbers in rows of its own, but must have 4; it belongs to another run.");
  rows.setZero();
  take_own_rows(own, state);
  CHECK((rows(0, 0) == 1 && rows(1, 0) == 2 && rows(2, 0) == 3));
  CHECK(state.variables().size() == state_of(1).variables().size());  // no state of its own is lost or left
}

}  // namespace
}  // namespace fovea

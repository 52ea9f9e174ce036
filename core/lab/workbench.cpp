#include "fovea/core/lab/workbench.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/lab/checkpoint/sealed_file.hpp"

namespace fovea {

namespace {

using Clock = std::chrono::steady_clock;

std::string checkpoint_name(std::uint64_t number) { return concat("checkpoint-", number % 2); }

struct Saving {
  Saving() { ++process_saving(); }
  ~Saving() { --process_saving(); }
  Saving(const Saving&) = delete;
  Saving& operator=(const Saving&) = delete;
};

/// Of the checkpoints that are what their seals say, newest first; the same on all ranks.
std::vector<std::uint64_t> sealed_numbers(const Place& folder, const Ranks& ranks) {
  std::vector<double> numbers;
  for (const std::uint64_t generation : {0U, 1U})
    if (ranks.rank() == 0)
      if (const auto number = sealed_number(folder, checkpoint_name(generation)); number && *number % 2 == generation)
        numbers.push_back(static_cast<double>(*number));
  numbers = ranks.collect(numbers);
  std::sort(numbers.rbegin(), numbers.rend());
  return {numbers.begin(), numbers.end()};
}

}  // namespace

LabWorkbench::LabWorkbench(BenchPlan plan) : plan_(std::move(plan)), last_saved_(Clock::now()) {}

/// The state of a checkpoint, and the own rows in their place; nothing where any of it is damaged.
std::optional<Dataset> LabWorkbench::state_of(std::uint64_t number) {
  try {
    Dataset state = read_sealed(plan_.folder, checkpoint_name(number));
    if (travels_within(own_)) {
      take_own_rows(own_, state);
    } else if (own_.rows != nullptr && !read_own_rows(plan_.folder, number, own_)) {
      throw DataError("rows are missing");
    }
    return state;
  } catch (const StorageError&) {  // another process has finished the point, where the disk has no locks
  } catch (const DataError& error) {
    log(concat("checkpoint ", number, " is damaged (", error.what(), "); using the one before"));
  }
  return std::nullopt;
}

std::optional<Dataset> LabWorkbench::restored() {
  for (const std::uint64_t number : sealed_numbers(plan_.folder, ranks())) {
    std::optional<Dataset> state = state_of(number);
    if (ranks().any(!state)) continue;
    next_number_ = std::max(next_number_, number + 1);
    log(concat("restored checkpoint ", number));
    return state;
  }
  return std::nullopt;
}

/// Ranks stop where any was asked to, with its signal, and save when it is time for rank 0.
void LabWorkbench::checkpoint(const std::function<Dataset()>& state) {
  const std::chrono::duration<double> since = Clock::now() - last_saved_;
  const bool due = ranks().rank() == 0 && since.count() >= plan_.interval_seconds;
  std::array<double, 2> asked{static_cast<double>(plan_.stop == nullptr ? 0 : plan_.stop->load()), due ? 1.0 : 0.0};
  ranks().largest(asked);
  const bool stopping = asked[0] > 0;
  if (!stopping && asked[1] == 0) return;
  if (int none = 0; stopping && plan_.stop == &process_stop_flag())
    process_stop_flag().compare_exchange_strong(none, static_cast<int>(asked[0]));
  save(state());
  if (stopping) throw Interrupted(concat(plan_.folder, ": stopped after saving a checkpoint."));
}

void LabWorkbench::save(Dataset state) {
  const Saving saving;
  if (travels_within(own_)) {
    add_own_rows(own_, state);
  } else if (own_.rows != nullptr) {
    if (ranks().rank() == 0) remove_own_rows(plan_.folder, next_number_);
    ranks().any(false);  // nobody writes before, nobody seals before all have written
    write_own_rows(plan_.folder, next_number_, own_);
    ranks().any(false);
  }
  if (ranks().rank() == 0) write_sealed(plan_.folder, checkpoint_name(next_number_), next_number_, state);
  ranks().any(false);
  log(concat("saved checkpoint ", next_number_));
  ++next_number_;
  last_saved_ = Clock::now();
}

bool has_checkpoints(const Place& folder) {
  return is_sealed(folder, checkpoint_name(0)) || is_sealed(folder, checkpoint_name(1));
}

void remove_checkpoints(const Place& folder) {
  for (const std::uint64_t generation : {0U, 1U}) {
    remove_sealed(folder, checkpoint_name(generation));
    remove_own_rows(folder, generation);
  }
}

}  // namespace fovea

#include "fovea/core/lab/workbench.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/file/dataset_file.hpp"

namespace fovea {

namespace {

using Clock = std::chrono::steady_clock;

Place checkpoint_file(const Place& folder, std::uint64_t number) {
  return folder / concat("checkpoint-", number % 2, ".h5");
}

Place seal_file(const Place& folder, std::uint64_t number) {
  return folder / concat("checkpoint-", number % 2, ".seal");
}

struct Saving {
  Saving() { ++process_saving(); }
  ~Saving() { --process_saving(); }
  Saving(const Saving&) = delete;
  Saving& operator=(const Saving&) = delete;
};

struct Seal {
  std::uint64_t number = 0;
  std::string sha256;
};

/// The seals whose files are what they say, newest first.
std::vector<Seal> valid_seals(const Place& folder) {
  std::vector<Seal> seals;
  for (const std::uint64_t generation : {0u, 1u}) {
    if (!exists(seal_file(folder, generation))) continue;
    try {
      Seal seal;
      std::istringstream(read_file(seal_file(folder, generation))) >> seal.number >> seal.sha256;
      if (seal.number % 2 != generation) continue;
      if (sha256_of_file(checkpoint_file(folder, generation)) == seal.sha256) seals.push_back(seal);
    } catch (const std::runtime_error&) {
      continue;  // unreadable, or a link, counts as damaged
    }
  }
  std::sort(seals.begin(), seals.end(), [](const Seal& a, const Seal& b) { return a.number > b.number; });
  return seals;
}

}  // namespace

LabWorkbench::LabWorkbench(BenchPlan plan) : plan_(std::move(plan)), last_saved_(Clock::now()) {}

std::optional<Dataset> LabWorkbench::restored() {
  for (const Seal& seal : valid_seals(plan_.folder)) {
    try {
      Dataset state = read_own_dataset(checkpoint_file(plan_.folder, seal.number));
      next_number_ = std::max(next_number_, seal.number + 1);
      log(concat("restored checkpoint ", seal.number));
      return state;
    } catch (const StorageError&) {
      continue;  // another process has finished the point, where the disk has no locks
    } catch (const DataError& error) {
      log(concat("checkpoint ", seal.number, " is damaged (", error.what(), "); using the one before"));
    }
  }
  return std::nullopt;
}

void LabWorkbench::checkpoint(const std::function<Dataset()>& state) {
  const bool stopping = asked_to_stop();
  const std::chrono::duration<double> since = Clock::now() - last_saved_;
  if (!stopping && since.count() < plan_.interval_seconds) return;
  save(state());
  if (stopping) throw Interrupted(concat(plan_.folder, ": stopped after saving a checkpoint."));
}

void LabWorkbench::save(const Dataset& state) {
  const Saving saving;
  const Place file = checkpoint_file(plan_.folder, next_number_);
  write_dataset(file, state);
  try {
    write_file(seal_file(plan_.folder, next_number_), concat(next_number_, ' ', sha256_of_file(file), '\n'));
    log(concat("saved checkpoint ", next_number_));
  } catch (const StorageError&) {
    if (exists(file)) throw;  // else another process has finished the point, where the disk has no locks
  }
  ++next_number_;
  last_saved_ = Clock::now();
}

bool has_checkpoints(const Place& folder) { return exists(seal_file(folder, 0)) || exists(seal_file(folder, 1)); }

void remove_checkpoints(const Place& folder) {
  for (const std::uint64_t generation : {0u, 1u}) {
    remove_file(seal_file(folder, generation));
    remove_file(checkpoint_file(folder, generation));
  }
}

}  // namespace fovea

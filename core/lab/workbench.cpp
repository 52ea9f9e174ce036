#include "fovea/core/lab/workbench.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/file/dataset_file.hpp"

namespace fovea {

namespace {

using Clock = std::chrono::steady_clock;

std::string checkpoint_file(const std::string& folder, std::uint64_t number) {
  return concat(folder, "/checkpoint-", number % 2, ".h5");
}

std::string seal_file(const std::string& folder, std::uint64_t number) {
  return concat(folder, "/checkpoint-", number % 2, ".seal");
}

struct Seal {
  std::uint64_t number = 0;
  std::string sha256;
};

/// The seals whose files are what they say, newest first.
std::vector<Seal> valid_seals(const std::string& folder) {
  std::vector<Seal> seals;
  for (const std::uint64_t generation : {0u, 1u}) {
    if (!std::filesystem::exists(seal_file(folder, generation))) continue;
    try {
      Seal seal;
      std::istringstream(read_file(seal_file(folder, generation))) >> seal.number >> seal.sha256;
      if (seal.number % 2 != generation) continue;
      if (sha256_of_file(checkpoint_file(folder, generation)) == seal.sha256) seals.push_back(seal);
    } catch (const StorageError&) {
      continue;  // unreadable counts as damaged
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
    } catch (const DataError& error) {
      log(concat("checkpoint ", seal.number, " is damaged (", error.what(), "); trying the one before"));
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
  const std::string file = checkpoint_file(plan_.folder, next_number_);
  write_dataset(file, state);
  write_file(seal_file(plan_.folder, next_number_), concat(next_number_, ' ', sha256_of_file(file), '\n'));
  log(concat("saved checkpoint ", next_number_));
  ++next_number_;
  last_saved_ = Clock::now();
}

void remove_checkpoints(const std::string& folder) {
  for (const std::uint64_t generation : {0u, 1u}) {
    for (const std::string& path : {seal_file(folder, generation), checkpoint_file(folder, generation)}) {
      std::error_code error;
      std::filesystem::remove(path, error);
      if (error) throw StorageError(concat(path, ": cannot be removed: ", error.message(), "."));
    }
  }
}

}  // namespace fovea

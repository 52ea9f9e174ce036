#include "fovea/experiments/commands/find/last_run.hpp"

#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/core/lab/directory/run_status.hpp"
#include "fovea/domains/registry.hpp"

namespace fovea::command {

namespace {

namespace fs = std::filesystem;

constexpr const char* kRuns = "runs";

bool has(const RunDirectory& run, Wanted wanted) {
  return wanted == Wanted::any || is_file(wanted == Wanted::report ? run.report() : run.model());
}

[[noreturn]] void refuse(const std::string& experiment, Wanted wanted) {
  const std::string with = wanted == Wanted::any ? "" : wanted == Wanted::report ? " with a page" : " with a model";
  if (experiment.empty())
    throw DataError(concat("there is no run", with, " in ", kRuns, "; name one, or compute one: fovea help run"));
  throw DataError(concat(experiment, ": there is no run of it", with, " in ", kRuns,
                         "; name its folder, or compute one: fovea run ", experiment));
}

/// The newest by the time at which its manifest was last written.
std::string last_run(const std::string& experiment, Wanted wanted) {
  std::string newest;
  fs::file_time_type at = fs::file_time_type::min();
  for (const RunStatus& status : statuses_in(kRuns)) {
    const RunDirectory run(status.directory);
    if ((!experiment.empty() && status.manifest.experiment != experiment) || !has(run, wanted)) continue;
    std::error_code error;
    const fs::file_time_type time = fs::last_write_time(run.manifest().path(), error);
    if (!error && time >= at) newest = status.directory, at = time;
  }
  if (newest.empty()) refuse(experiment, wanted);
  return newest;
}

}  // namespace

std::string run_called(const std::string& word, Wanted wanted, Narrator& narrator) {
  std::error_code error;
  if (fs::exists(word, error) || (!word.empty() && all_experiments().find(word) == nullptr)) return word;
  const std::string found = last_run(word, wanted);
  narrator.say("the last run" + (word.empty() ? "" : " of " + word) + ": " + found);
  return found;
}

}  // namespace fovea::command

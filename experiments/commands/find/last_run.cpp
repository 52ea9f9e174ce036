#include "fovea/experiments/commands/find/last_run.hpp"

#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/core/lab/directory/run_status.hpp"
#include "fovea/domains/registry.hpp"
#include "fovea/experiments/commands/find/bundled_configs.hpp"

namespace fovea::command {

namespace {

namespace fs = std::filesystem;

constexpr const char* kRuns = "runs";

bool has(const RunDirectory& run, Wanted wanted) {
  return wanted == Wanted::any || is_file(wanted == Wanted::report ? run.report() : run.model());
}

/// What a word stands for: all runs, those of an experiment, or those of a bundled config, by its title.
struct CalledRuns {
  std::string word, experiment, title;
  bool has(const Manifest& run) const {
    return (experiment.empty() || run.experiment == experiment) && (title.empty() || run.title == title);
  }
};

[[noreturn]] void refuse(const CalledRuns& called, Wanted wanted) {
  const std::string with = wanted == Wanted::any ? "" : wanted == Wanted::report ? " with a page" : " with a model";
  if (called.word.empty())
    throw DataError(concat("there is no run", with, " in ", kRuns, "; name one, or compute one: fovea help run"));
  throw DataError(concat(called.word, ": there is no run of it", with, " in ", kRuns,
                         "; name its folder, or compute one: fovea run ", called.word));
}

/// The newest by the time at which its manifest was last written.
std::string last_run(const CalledRuns& called, Wanted wanted) {
  std::string newest;
  fs::file_time_type at = fs::file_time_type::min();
  for (const RunStatus& status : statuses_in(kRuns)) {
    const RunDirectory run(status.directory);
    if (!called.has(status.manifest) || !has(run, wanted)) continue;
    std::error_code error;
    const fs::file_time_type time = fs::last_write_time(run.manifest().path(), error);
    if (!error && time >= at) newest = status.directory, at = time;
  }
  if (newest.empty()) refuse(called, wanted);
  return newest;
}

}  // namespace

std::string run_called(const std::string& word, Wanted wanted, Narrator& narrator) {
  std::error_code error;
  if (fs::exists(word, error)) return word;
  CalledRuns called{word, "", ""};
  if (all_experiments().find(word) != nullptr) {
    called.experiment = word;
  } else if (const std::string path = word.empty() ? "" : config_path(word); !path.empty()) {
    called.title = described_config(path).title;
  } else if (!word.empty()) {
    return word;
  }
  const std::string found = last_run(called, wanted);
  narrator.say("the last run" + (word.empty() ? "" : " of " + word) + ": " + found);
  return found;
}

}  // namespace fovea::command

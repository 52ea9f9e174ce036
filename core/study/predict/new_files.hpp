#pragma once
/// New files in place of those that a model learned from.

#include <string>
#include <vector>

#include "fovea/core/study/model/task.hpp"

namespace fovea::study {

struct NewFiles {
  std::string data;          ///< the cases
  std::string targets = {};  ///< file of the targets (LearnedTask::targets_key()); empty: those among the cases
  /// KEY=VALUE of keys that say how new files are read, such as their unit; the others are as in the training.
  std::vector<std::string> set = {};
};

/// The model's config with these files, and no other of the training data's. Throws ConfigError for a key of `set` that
/// is not one of how files are read (it stands in the table of data_key(), and names no file), or that changes the
/// target; DataError for targets that stand in the file of the cases.
Config config_of_new_files(const LearnedTask& task, const Config& config, const NewFiles& files);

}  // namespace fovea::study

#pragma once
/// A config for the tests of folds.

#include <string>
#include <vector>

#include "fovea/core/study/trained/study_keys.hpp"

namespace fovea::study {

/// Of this task with these overrides, seed 1.
inline Config folded_config(const LearnedTask& task, const std::vector<std::string>& set) {
  Overrides overrides;
  overrides.set = set;
  Config config = default_config(task.name(), study_schema(task), overrides);
  resolve_seed(config, 1);
  return config;
}

}  // namespace fovea::study

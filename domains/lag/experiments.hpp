#pragma once
/// The experiments on time lags: folder::make_name() for each line of experiments.inl. README.md has their questions
/// and equations.

#include <memory>

#include "fovea/core/lab/experiment.hpp"

namespace fovea::lag {

#define FOVEA_EXPERIMENT(folder, name)       \
  namespace folder {                         \
  std::unique_ptr<Experiment> make_##name(); \
  }
#include "fovea/domains/lag/experiments.inl"
#undef FOVEA_EXPERIMENT

}  // namespace fovea::lag

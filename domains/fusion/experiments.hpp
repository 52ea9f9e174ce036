#pragma once
/// The experiments with Sentinel-1 and Sentinel-2: folder::make_name() for each line of experiments.inl.

#include <memory>

#include "fovea/core/lab/experiment.hpp"

namespace fovea::fusion {

#define FOVEA_EXPERIMENT(folder, name)       \
  namespace folder {                         \
  std::unique_ptr<Experiment> make_##name(); \
  }
#include "fovea/domains/fusion/experiments.inl"
#undef FOVEA_EXPERIMENT

}  // namespace fovea::fusion

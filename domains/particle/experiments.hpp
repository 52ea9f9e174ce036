#pragma once
/// The experiments with events and jets of particle colliders: folder::make_name() for each line of experiments.inl.

#include <memory>

#include "fovea/core/lab/experiment.hpp"

namespace fovea::particle {

#define FOVEA_EXPERIMENT(folder, name)       \
  namespace folder {                         \
  std::unique_ptr<Experiment> make_##name(); \
  }
#include "fovea/domains/particle/experiments.inl"
#undef FOVEA_EXPERIMENT

}  // namespace fovea::particle

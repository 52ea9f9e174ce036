#pragma once
/// The experiments on tables of one's own: folder::make_name() for each line of experiments.inl.

#include <memory>

#include "fovea/core/lab/experiment.hpp"

namespace fovea::study {

#define FOVEA_EXPERIMENT(folder, name)       \
  namespace folder {                         \
  std::unique_ptr<Experiment> make_##name(); \
  }
#include "fovea/domains/study/experiments.inl"
#undef FOVEA_EXPERIMENT

}  // namespace fovea::study

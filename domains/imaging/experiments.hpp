#pragma once
/// The experiments on images: folder::make_name() for each line of experiments.inl.

#include <memory>

#include "fovea/core/lab/experiment.hpp"

namespace fovea::imaging {

#define FOVEA_EXPERIMENT(folder, name)       \
  namespace folder {                         \
  std::unique_ptr<Experiment> make_##name(); \
  }
#include "fovea/domains/imaging/experiments.inl"
#undef FOVEA_EXPERIMENT

}  // namespace fovea::imaging

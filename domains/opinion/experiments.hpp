#pragma once
/// The experiments on crowds: folder::make_name() for each line of experiments.inl. README.md has their questions and
/// equations.

#include <memory>

#include "fovea/core/lab/door.hpp"
#include "fovea/core/lab/experiment.hpp"

namespace fovea::opinion {

#define FOVEA_EXPERIMENT(folder, name)       \
  namespace folder {                         \
  std::unique_ptr<Experiment> make_##name(); \
  }
#include "fovea/domains/opinion/experiments.inl"
#undef FOVEA_EXPERIMENT

namespace measure {
/// `fovea measure`: from a table of answers, or a network, to its measures of polarization.
Door door();
}  // namespace measure

}  // namespace fovea::opinion

#pragma once
/// The experiments of the laboratory of mechanisms, each one statement about attention with a number that can come out
/// wrong: folder::make_name() for each line of experiments.inl. README.md has the statements, their sources and what
/// was reached.

#include <memory>

#include "fovea/core/lab/experiment.hpp"

namespace fovea::mechanism {

#define FOVEA_EXPERIMENT(folder, name)       \
  namespace folder {                         \
  std::unique_ptr<Experiment> make_##name(); \
  }
#include "fovea/domains/mechanism/experiments.inl"
#undef FOVEA_EXPERIMENT

}  // namespace fovea::mechanism

#pragma once
/// The experiments on opinions, each with its own file; README.md has the equations and their sources.

#include <memory>

#include "fovea/core/lab/experiment.hpp"

namespace fovea::opinion {

std::unique_ptr<Experiment> make_fit();         ///< fit.cpp
std::unique_ptr<Experiment> make_moderation();  ///< moderation.cpp

}  // namespace fovea::opinion

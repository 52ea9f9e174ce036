#pragma once
/// The experiments on crowds, one maker a line. README.md has their questions and equations.

#include <memory>

#include "fovea/core/lab/experiment.hpp"

namespace fovea::opinion {

std::unique_ptr<Experiment> make_simulate();  ///< simulate.cpp

}  // namespace fovea::opinion

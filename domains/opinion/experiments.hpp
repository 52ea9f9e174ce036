#pragma once
/// The experiments on crowds, one maker a line. README.md has their questions and equations.

#include <memory>

#include "fovea/core/lab/experiment.hpp"

namespace fovea::opinion {

std::unique_ptr<Experiment> make_fit();         ///< fit.cpp
std::unique_ptr<Experiment> make_moderation();  ///< moderation.cpp
std::unique_ptr<Experiment> make_oracle();      ///< oracle.cpp
std::unique_ptr<Experiment> make_phase();       ///< phase_experiment.cpp
std::unique_ptr<Experiment> make_simulate();    ///< simulate.cpp
std::unique_ptr<Experiment> make_stability();   ///< stability.cpp

}  // namespace fovea::opinion

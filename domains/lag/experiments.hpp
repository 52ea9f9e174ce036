#pragma once
/// The experiments on time lags, one maker a line. README.md has their questions and equations.

#include <memory>

#include "fovea/core/lab/experiment.hpp"

namespace fovea::lag {

std::unique_ptr<Experiment> make_attention();  ///< attention.cpp
std::unique_ptr<Experiment> make_discover();   ///< discover.cpp
std::unique_ptr<Experiment> make_network();    ///< network.cpp
std::unique_ptr<Experiment> make_pair();       ///< pair.cpp

}  // namespace fovea::lag

#pragma once
/// The experiments of the laboratory of mechanisms, each one statement about attention with a number that can come out
/// wrong. README.md has the statements, their sources and what was reached.

#include <memory>

#include "fovea/core/lab/experiment.hpp"

namespace fovea::mechanism {

std::unique_ptr<Experiment> make_alignment();         ///< alignment.cpp
std::unique_ptr<Experiment> make_confounder();        ///< confounder.cpp
std::unique_ptr<Experiment> make_cost();              ///< cost.cpp
std::unique_ptr<Experiment> make_explanation();       ///< explanation.cpp
std::unique_ptr<Experiment> make_heads();             ///< heads.cpp
std::unique_ptr<Experiment> make_hijacking();         ///< hijacking.cpp
std::unique_ptr<Experiment> make_kernel_smoothing();  ///< kernel_smoothing.cpp
std::unique_ptr<Experiment> make_long_range();        ///< long_range.cpp
std::unique_ptr<Experiment> make_masks();             ///< masks.cpp
std::unique_ptr<Experiment> make_maximum_entropy();   ///< maximum_entropy.cpp
std::unique_ptr<Experiment> make_position();          ///< position.cpp
std::unique_ptr<Experiment> make_scaling();           ///< scaling.cpp

}  // namespace fovea::mechanism

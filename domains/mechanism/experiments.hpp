#pragma once
/// The experiments of the laboratory of mechanisms, each one statement about attention with a number that can come out
/// wrong. README.md has the statements, their sources and what was reached.

#include <memory>

#include "fovea/core/lab/experiment.hpp"

namespace fovea::mechanism::statements {
std::unique_ptr<Experiment> make_alignment();
std::unique_ptr<Experiment> make_confounder();
std::unique_ptr<Experiment> make_cost();
std::unique_ptr<Experiment> make_explanation();
std::unique_ptr<Experiment> make_heads();
std::unique_ptr<Experiment> make_hijacking();
std::unique_ptr<Experiment> make_kernel_smoothing();
std::unique_ptr<Experiment> make_long_range();
std::unique_ptr<Experiment> make_masks();
std::unique_ptr<Experiment> make_maximum_entropy();
std::unique_ptr<Experiment> make_position();
std::unique_ptr<Experiment> make_scaling();
}  // namespace fovea::mechanism::statements

#pragma once
/// The figures of the experiment "mechanism.long_range".

#include "fovea/core/data/results.hpp"

namespace fovea::mechanism::statements {

/// Accuracy (each delay alone, all together), gradients before and after training, and how they learn.
void add_figures_of_long_range(Results& merged);

}  // namespace fovea::mechanism::statements

#pragma once
/// The number that opinion.phase turns: any real key that the chosen model, network and start read. The crowd is made
/// anew for each value of it, and what moves on is its state.

#include <string>
#include <vector>

#include "fovea/core/config/config.hpp"

namespace fovea::opinion::phase {

/// What phase.control may name here: the numbers of the model without "model.", those of network and start with their
/// tables.
std::vector<std::string> controls_of(const Config& config);

/// The key that phase.control stands for: "temperature" is model.temperature, "network.between" itself.
std::string control_key(const Config& config);

/// The config with the control at this value.
Config at_control(const Config& config, double value);

/// Complains where the control is none of controls_of(), is given beside its range, or cannot have the ends of it.
void check_control(const Config& config, Complaints& complaints);

std::string phase_control_name(const Config& config);  ///< "temperature", "between"
std::string phase_control_unit(const Config& config);

}  // namespace fovea::opinion::phase

#pragma once
/// The keys of opinion.phase, the rules between them, and what they mean for the search.

#include <string>

#include "fovea/core/config/config.hpp"
#include "fovea/domains/opinion/phase/phase.hpp"

namespace fovea::opinion::phase {

Schema phase_schema();
void check_phase(const Config& config, Complaints& complaints);

/// The model with its numbers; the control's own value is that of the middle of the range.
dynamics::ModelSettings phase_model(const Config& config);
PhaseSettings phase_settings(const Config& config);

/// True where the crowd feels noise: it is the control, or above 0.
bool phase_is_noisy(const Config& config);

/// Nobody stubborn, no noise, opinions replaced by averages with positive weights: only consensus is at rest (E1).
bool phase_is_plain_averaging(const Config& config);

/// A crowd of `size` agents. Starts that are drawn differ between replicas; noise differs between replicas and walks.
std::unique_ptr<dynamics::Dynamics> phase_crowd(const Config& config, Index size, Index replica, Index walk,
                                                const Random& random);

std::string phase_control_name(const Config& config);  ///< "temperature", ...
std::string phase_control_unit(const Config& config);

}  // namespace fovea::opinion::phase

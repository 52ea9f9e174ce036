#pragma once
/// The keys of opinion.phase, the rules between them, and what they mean for the search.

#include <memory>
#include <vector>

#include "fovea/core/config/config.hpp"
#include "fovea/domains/opinion/phase/phase.hpp"
#include "fovea/domains/opinion/simulate/settings.hpp"

namespace fovea::opinion::phase {

/// A network and a start from files; empty where the config names none.
using PhaseFiles = simulate::SimulateFiles;

/// only: without the keys that do not count for this model, whose name is the default, over a range of one of its
/// numbers; nullptr: every key.
Schema phase_schema(const dynamics::ModelEntry* only = nullptr);
void check_phase(const Config& config, Complaints& complaints);

PhaseSettings phase_settings(const Config& config, const PhaseFiles& files);

/// phase.sizes, or the one size of the files.
std::vector<Index> phase_sizes(const Config& config, const PhaseFiles& files);

/// Whether the model moves for ever somewhere in the range: moments are measured with replicas. Else the crowd is
/// followed to its rest. It follows from the model and its numbers alone.
bool phase_is_noisy(const Config& config);

/// Whether the meetings, the start or the network are drawn, so that replicas differ.
bool phase_is_drawn(const Config& config);

/// Nobody stubborn, no noise, opinions replaced by averages with positive weights: only consensus is at rest (E1).
bool phase_is_plain_averaging(const Config& config);

/// A crowd of `size` agents (those of a file: as many as there are) with the control at that value. Starts and networks
/// that are drawn differ between sizes and replicas; noise and meetings differ between replicas and walks.
std::shared_ptr<dynamics::Dynamics> phase_crowd(const Config& config, const PhaseFiles& files, double control,
                                                Index size, Index replica, Index walk, const Random& random);

}  // namespace fovea::opinion::phase

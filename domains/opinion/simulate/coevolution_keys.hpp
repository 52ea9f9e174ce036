#pragma once
/// The keys rewiring.* and feed.* of opinion.simulate, and the rules between them.

#include <string>
#include <vector>

#include "fovea/core/config/config.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/society/population_keys.hpp"

namespace fovea::opinion::simulate {

/// only: without the keys that do not count for this model; nullptr: every key.
void add_coevolution_keys(Schema& schema, const dynamics::ModelEntry* only);

/// Complains about keys that the model or the network cannot use, and where they contradict each other.
void check_coevolution(const dynamics::ModelSettings& model, const society::PopulationSettings& population,
                       society::KeyRules& rules);

/// Keys that are given but without effect, as sentences: as the probability or the size is 0, through which a sweep
/// passes, or with this kind of start and of network.
std::vector<std::string> idle_keys(const dynamics::ModelSettings& model, const society::KeyRules& rules);

/// model_settings() with rewiring and feed.
dynamics::ModelSettings simulated_model(const Config& config);

}  // namespace fovea::opinion::simulate

#pragma once
/// The keys model.* of the experiments that run any model, the rules between them, and what they mean.

#include <string>

#include "fovea/core/config/config.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/society/agents_file.hpp"
#include "fovea/domains/opinion/society/population_keys.hpp"

namespace fovea::opinion::dynamics {

struct ModelKeys {
  std::string name = "hegselmann_krause";  ///< default of model.name
  double temperature = 0.05;               ///< default of model.temperature
  const ModelEntry* only = nullptr;        ///< without the keys that do not count for this model, which is the default
  bool later = false;                      ///< keys that opinion.phase did not have at first are marked as added later
};
void add_model_keys(Schema& schema, const ModelKeys& keys);

/// Who takes part in this model, with a start that it knows; nullptr: in any.
society::PopulationKeys population_keys(const ModelEntry* only);

/// Complains about keys that the model does not read or have, and where they contradict each other.
void check_model(const ModelSettings& model, const society::PopulationSettings& population, society::KeyRules& rules);

/// Whether the weights of edges change who is heard, or met.
bool reads_edge_weights(const ModelSettings& model, const society::PopulationSettings& population);

/// Columns of start.file that the model, or its formulas, do not read. Throws DataError.
void check_traits(const ModelSettings& model, const society::PopulationSettings& population,
                  const society::Traits& traits);

/// A network with negative weights needs a model that knows them. graph: nullptr for none. Throws ConfigError.
void check_signs(const ModelSettings& model, const society::PopulationSettings& population, const society::Graph* graph,
                 society::KeyRules& rules);

/// Without rewiring and feed.
ModelSettings model_settings(const Config& config);

}  // namespace fovea::opinion::dynamics

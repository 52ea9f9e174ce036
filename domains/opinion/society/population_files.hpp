#pragma once
/// The parts of a population that come from files.

#include "fovea/core/config/config.hpp"
#include "fovea/domains/opinion/society/population.hpp"

namespace fovea::opinion::society {

/// network.kind = "karate" or "edges": fills graph, names and labels (one label for each node, empty when the network
/// has none). Weights are kept where network.use_weights says so. Throws DataError.
void read_network(const Config& config, Population& population);

/// start.kind = "file": fills the anchors from a table with a header and the columns node, opinion (or node, opinion_1,
/// opinion_2, ...): as many opinions as model.components. With a network each of its nodes must be there once, by name
/// and in any order; without one the rows are the agents. Throws DataError with file and line.
void read_start(const Config& config, Population& population);

}  // namespace fovea::opinion::society

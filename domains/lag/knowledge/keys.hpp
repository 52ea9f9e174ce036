#pragma once
/// The keys of a config that say what is known of the links.

#include "fovea/core/config/config.hpp"
#include "fovea/core/config/schema.hpp"
#include "fovea/domains/lag/knowledge/knowledge.hpp"

namespace fovea::lag::knowledge {

/// knowledge.forbid, knowledge.require, knowledge.tiers, knowledge.groups.
void add_knowledge_keys(Schema& schema);
Written written_of(const Config& config);
/// Complains of texts that cannot be read, whatever the series are called.
void check_knowledge_keys(const Config& config, Complaints& complaints);
/// Throws DataError, with the file's name, for what does not fit the series' names.
Knowledge knowledge_of(const Config& config, const std::vector<std::string>& names, const std::string& file);

}  // namespace fovea::lag::knowledge

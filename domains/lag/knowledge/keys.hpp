#pragma once
/// The keys of a config that say what is known of the links.

#include "fovea/domains/lag/keys.hpp"
#include "fovea/domains/lag/knowledge/knowledge.hpp"

namespace fovea::lag::knowledge {

/// knowledge.forbid, knowledge.require, knowledge.tiers, knowledge.groups.
const Keys<Written>& knowledge_keys();
/// Complains of texts that cannot be read, whatever the series are called.
void check_knowledge_keys(const Written& written, const Complain& complain);
/// Throws DataError, with the file's name, for what does not fit the series' names.
Knowledge knowledge_of(const Written& written, const std::vector<std::string>& names, const std::string& file);

}  // namespace fovea::lag::knowledge

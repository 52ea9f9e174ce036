#include "fovea/domains/lag/knowledge/keys.hpp"

#include "fovea/core/base/error.hpp"

namespace fovea::lag::knowledge {

void add_knowledge_keys(Schema& schema) {
  schema
      .texts("knowledge.forbid", {},
             "links that cannot be, as CAUSE->EFFECT, EFFECT<-CAUSE or CAUSE->EFFECT@LAG, with * for any series")
      .added_later();
  schema.texts("knowledge.require", {}, "links that are always conditioned on, as CAUSE->EFFECT@LAG").added_later();
  schema.text("knowledge.tiers", "", "groups of which none drives an earlier one, as rain,snow | upstream | town")
      .added_later();
  schema.text("knowledge.groups", "", "names for several series, as weather = rain,snow | rivers = up*,town")
      .added_later();
}

Written written_of(const Config& config) {
  return {config.texts("knowledge.forbid"), config.texts("knowledge.require"), config.text("knowledge.tiers"),
          config.text("knowledge.groups")};
}

void check_knowledge_keys(const Config& config, Complaints& complaints) {
  const auto check = [&](const std::string& key, const auto& parse) {
    try {
      parse();
    } catch (const ArgumentError& error) {
      complaints.add(config.source(key), error.what());
    }
  };
  for (const std::string key : {"knowledge.forbid", "knowledge.require"})
    for (const std::string& text : config.texts(key)) check(key, [&] { parse_pattern(text); });
  const std::string& tiers = config.text("knowledge.tiers");
  if (!tiers.empty()) check("knowledge.tiers", [&] { parse_tiers(tiers); });
  const std::string& groups = config.text("knowledge.groups");
  if (!groups.empty()) check("knowledge.groups", [&] { parse_groups(groups); });
}

Knowledge knowledge_of(const Config& config, const std::vector<std::string>& names, const std::string& file) {
  try {
    return Knowledge(written_of(config), names);
  } catch (const ArgumentError& error) {
    throw DataError(concat(file, ": ", error.what()));
  }
}

}  // namespace fovea::lag::knowledge

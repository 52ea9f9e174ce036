#include "fovea/domains/lag/knowledge/keys.hpp"

namespace fovea::lag::knowledge {

const Keys<Written>& knowledge_keys() {
  static const auto keys =
      Keys<Written>()
          .key("knowledge.forbid", &Written::forbid,
               "links that cannot be, as CAUSE->EFFECT, EFFECT<-CAUSE or CAUSE->EFFECT@LAG, with * for any series")
          .added_later()
          .key("knowledge.require", &Written::require, "links that are always conditioned on, as CAUSE->EFFECT@LAG")
          .added_later()
          .key("knowledge.tiers", &Written::tiers,
               "groups of which none drives an earlier one, as rain,snow | upstream | town")
          .added_later()
          .key("knowledge.groups", &Written::groups,
               "names for several series, as weather = rain,snow | rivers = up*,town")
          .added_later();
  return keys;
}

void check_knowledge_keys(const Written& written, const Complain& complain) {
  const auto check = [&](std::string_view key, const auto& parse) { complain_if_unreadable(complain, key, parse); };
  for (const std::string& text : written.forbid) check("knowledge.forbid", [&] { parse_pattern(text); });
  for (const std::string& text : written.require) check("knowledge.require", [&] { parse_pattern(text); });
  if (!written.tiers.empty()) check("knowledge.tiers", [&] { parse_tiers(written.tiers); });
  if (!written.groups.empty()) check("knowledge.groups", [&] { parse_groups(written.groups); });
}

Knowledge knowledge_of(const Written& written, const std::vector<std::string>& names, const std::string& file) {
  try {
    return Knowledge(written, names);
  } catch (const ArgumentError& error) {
    throw DataError(concat(file, ": ", error.what()));
  }
}

}  // namespace fovea::lag::knowledge

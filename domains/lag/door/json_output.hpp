#pragma once
/// A finished run as one JSON object; json.md has its schema.

#include <string>

#include "fovea/core/base/json_text.hpp"
#include "fovea/core/lab/door.hpp"
#include "fovea/domains/lag/door/link_rows.hpp"

namespace fovea::lag::door {

/// A number, null where it is not finite.
Json number_or_null(double value);

/// Of lag.discover: "pairs" is empty. asked.request.seen holds FileFacts.
std::string links_json(const RunSummary& summary, const Asked& asked, const std::vector<LinkRow>& rows);
/// Of lag.pair: "links" is empty.
std::string pairs_json(const RunSummary& summary, const Asked& asked);

/// The group of each pair of lag.pair; empty where the file has one.
std::vector<std::string> groups_of_pairs(const Results& results);

}  // namespace fovea::lag::door

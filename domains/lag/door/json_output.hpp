#pragma once
/// A finished run as one JSON object; json.md has its schema.

#include <string>

#include "fovea/core/base/json_text.hpp"
#include "fovea/core/lab/door.hpp"
#include "fovea/domains/lag/door/link_rows.hpp"

namespace fovea::lag::door {

/// Of lag.discover: "pairs" is empty. asked.request.seen holds FileFacts.
std::string links_json(const RunSummary& summary, const Asked& asked, const std::vector<LinkRow>& rows);
/// Of lag.pair: "links" is empty.
std::string pairs_json(const RunSummary& summary, const Asked& asked);

}  // namespace fovea::lag::door

#pragma once
/// What `lags` prints: links or pairs of a finished run as a table, as JSON or as CSV.

#include <string>

#include "fovea/core/lab/door.hpp"

namespace fovea::lag::door {

/// Of lag.discover: the links that count by q-value, or every one that was tested. JSON: {"links": [{"cause", "effect",
/// "lag", "strength", "p_value", "q_value", "self", "counts"}, ...]}, lags in steps. width: of a line of text, as Door
/// has.
std::string links_output(const RunSummary& summary, Form form, bool all, std::size_t width);

/// Of lag.pair. JSON: {"pairs": [{"driver", "response", "lag", "interval68", "interval95", "false_alarm"}, ...]}.
std::string pairs_output(const RunSummary& summary, Form form, std::size_t width);

}  // namespace fovea::lag::door

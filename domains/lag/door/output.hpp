#pragma once
/// What `lags` prints of a finished run: a table, JSON (json_output.hpp) or CSV, as --json and --csv say. width: of a
/// line of text, as Door has.

#include <string>

#include "fovea/core/lab/door.hpp"

namespace fovea::lag::door {

/// Of lag.discover: the links that count by q-value, or with --all every one that was tested. CSV: cause, effect, lag
/// (steps), strength, p_value, q_value, self, counts, promised, direction ("->"; empty within a step, where cause and
/// effect mean nothing), log10_p, log10_q, the effect in units as --json has it, kind, with and with_lag (the other
/// cause of a product; else empty).
std::string links_output(const RunSummary& summary, const Asked& asked, std::size_t width);

/// Of lag.pair. CSV: driver, response, lag, low68, high68, low95, high95, false_alarm, false_alarm_bound ("<=" where
/// it is the smallest that so many draws can give), group, counts, promised.
std::string pairs_output(const RunSummary& summary, const Asked& asked, std::size_t width);

}  // namespace fovea::lag::door

#pragma once
/// What the attention over the past notes for the reader.

#include "fovea/domains/lag/attention/links.hpp"

namespace fovea::lag::attention {

/// Of hidden factors, links that another explains, missing cells and few rows. dense: every test was given all plain
/// keys; echoes: pairs within a step that a lagged link joins; explained: lagged links that the cause's own step does.
void add_notes(AttentionFindings& found, const datasets::series::SeriesTable& table, const std::vector<Index>& lags,
               bool dense, Index echoes, Index explained);

}  // namespace fovea::lag::attention

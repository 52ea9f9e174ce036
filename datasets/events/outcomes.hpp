#pragma once
/// The insides of read_outcomes(). Internal to datasets/events.

#include <string>

#include "fovea/datasets/events/read.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::events {

/// Puts the outcomes of a table beside the stays. path: of the table, for messages.
void take_outcomes(Stays& stays, const std::string& path, text::CsvReader& reader, const EventOptions& options);

}  // namespace fovea::datasets::events

#pragma once
/// A long CSV file, one row an event. Internal to datasets/events.

#include <string>

#include "fovea/datasets/events/builder.hpp"
#include "fovea/datasets/events/columns.hpp"

namespace fovea::datasets::events {

/// Adds all rows. Notes the columns that are not read. Throws DataError.
void read_long_file(const std::string& path, OpenCsv& csv, const EventOptions& options, StayBuilder& builder);

}  // namespace fovea::datasets::events

#pragma once
/// Tables of events: long, one row an event, or wide, one row a time and one column a variable. Internal to
/// datasets/events.

#include <string>

#include "fovea/datasets/events/builder.hpp"
#include "fovea/datasets/events/columns.hpp"

namespace fovea::datasets::events {

/// Adds all events of a table, whose rows are cut at `csv.separator`. In a wide table a cell that is empty or NaN was
/// not measured; a column whose first value is no number, and one of outcomes, is not read; columns of age, sex and
/// what else a stay has once are statics, their words events such as "sex = Female". Rows that cannot be read are left
/// out where the options say so. Throws DataError.
void read_event_table(const std::string& path, OpenCsv& csv, const EventColumns& columns, const EventOptions& options,
                      StayBuilder& builder);

}  // namespace fovea::datasets::events

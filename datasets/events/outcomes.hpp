#pragma once
/// The insides of read_outcomes(). Internal to datasets/events.

#include <vector>

#include "fovea/datasets/events/read.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::events {

/// read_outcomes() of tables that lay beside records, such as in their archive; at least one.
void read_outcome_tables(Stays& stays, std::vector<text::CsvText> tables, const EventOptions& options);

}  // namespace fovea::datasets::events

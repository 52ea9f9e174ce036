#pragma once
/// What the target of a table is: of two classes, of several, a number, or a time until an end.

#include "fovea/domains/study/table/settings.hpp"

namespace fovea::study::table {

/// Fills kind, classes, times and unit of the settings, whose target is a column of the table. Throws DataError.
void answer_target(const datasets::cases::TableSurvey& survey, TableSettings& settings);

}  // namespace fovea::study::table

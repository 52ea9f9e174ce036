#pragma once
/// How a file of series is read, for people and programs: `fovea lags FILE --explain-reading`.

#include <string>

#include "fovea/core/lab/door.hpp"
#include "fovea/datasets/series/file.hpp"

namespace fovea::lag::door {

/// What was recognised, a sentence a line, and of each series its values, missing ones, least, median and largest.
/// --json: {"file", "times": "even" or "uneven", "step", "unit", "rows", "recordings", "notes", "series": [{"name",
/// "group" (uneven times), "values", "missing", "min", "median", "max"}]}. Throws UsageError for --csv.
std::string reading_output(const std::string& path, const datasets::series::SeriesFile& file, Form form,
                           std::size_t width);

}  // namespace fovea::lag::door

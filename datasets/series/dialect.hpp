#pragma once
/// How a table that is no series is written: the same separators, decimal commas, encodings and words for missing cells
/// as in a file of series.

#include <string>
#include <vector>

#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::series {

/// Separator, line ends and encoding, recognised from the first rows; lines that begin with '#' are skipped. The first
/// row counts as a header. Throws DataError for rows that are separated in different ways.
datasets::text::CsvOptions dialect_of(const std::string& path);

/// What is worth saying of how such a table is read, a sentence each: letters that are no UTF-8 and were taken for
/// Latin-1. Throws what dialect_of() throws.
std::vector<std::string> reading_notes(const std::string& path);

/// A cell of the reader's row as a number: NaN where it is empty or a word for nothing (NA, NaN, null, ...); where the
/// separator is no comma, also with a decimal comma. Throws DataError with file, row and column for anything else.
double number_of(const datasets::text::CsvReader& reader, std::size_t column,
                 const datasets::text::CsvOptions& dialect);

}  // namespace fovea::datasets::series

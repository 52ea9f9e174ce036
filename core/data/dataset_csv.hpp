#pragma once
/// Arrays as CSV in long ("tidy") form, for spreadsheets, R and pandas: one row a value.

#include <string>
#include <vector>

#include "fovea/core/data/dataset.hpp"

namespace fovea {

/// A text as a field: in quotes if it has a comma, a quote or a line break, quotes doubled (RFC 4180).
std::string csv_text(const std::string& text);

/// Header and rows: a column for each dimension (its coordinate's value, of whole days since
/// 1970-01-01 the date, or the number from 0), then the value.
/// Lines end in '\n'; texts as csv_text() has them. Numbers have the shortest form that reads back to the same bits;
/// NaN, inf and -inf are those words. Throws ArgumentError.
std::string to_csv(const Dataset& data, const std::string& variable);

/// Writes every array as FOLDER/NAME.csv (a '/' in the name as '_') and all scalars into FOLDER/scalars.csv (name,
/// value, units, long_name). Coordinates are columns and have no file. Returns the paths. Throws StorageError.
std::vector<std::string> export_csv(const Dataset& data, const std::string& folder);

}  // namespace fovea

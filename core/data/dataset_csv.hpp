#pragma once
/// Arrays as CSV in long ("tidy") form, for spreadsheets, R and pandas: one row a value.

#include <string>
#include <vector>

#include "fovea/core/data/dataset.hpp"

namespace fovea {

/// Header and rows: a column for each dimension (its coordinate's value, or the number from 0), then the value.
/// Lines end in '\n'; a text with comma, quote or line break is quoted, quotes doubled (RFC 4180). Numbers have the
/// shortest form that reads back to the same bits; NaN, inf and -inf are those words. Throws ArgumentError.
std::string to_csv(const Dataset& data, const std::string& variable);

/// Writes every array as FOLDER/NAME.csv (a '/' in the name as '_') and all scalars into FOLDER/scalars.csv (name,
/// value, units, long_name). Coordinates are columns and have no file. Returns the paths. Throws StorageError.
std::vector<std::string> export_csv(const Dataset& data, const std::string& folder);

}  // namespace fovea

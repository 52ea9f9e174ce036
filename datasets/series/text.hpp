#pragma once
/// How a text file of series is written: recognised from its first rows.

#include <string>
#include <string_view>
#include <vector>

#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::series {

/// The most columns that a file of series may have.
inline constexpr std::size_t kMostColumns = 20'000;

/// Nothing, or a word for nothing: NA, N/A, NaN, null, None (whatever the case) and a single point.
bool is_missing(std::string_view cell);

struct SeriesText {
  datasets::text::CsvOptions csv;  ///< separator (comma, semicolon, tab), line ends, whether there is a header
  bool decimal_comma = false;      ///< with semicolons and tabs only
  std::vector<std::string> notes;  ///< what was recognised and is not the rule
};

/// Throws DataError for more than kMostColumns columns, and for rows that are separated in different ways.
SeriesText recognise_text(const std::string& path);

/// A cell of the reader's row as a number, NaN where it is missing. Throws DataError with file, row and column for
/// anything else, and for an infinite one.
double cell_number(const datasets::text::CsvReader& reader, std::size_t column, bool decimal_comma);

}  // namespace fovea::datasets::series

#pragma once
/// How a text file of series is written: recognised from its first rows.

#include <string>
#include <string_view>
#include <vector>

#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::series {

/// The most columns that a file of series may have.
inline constexpr std::size_t kMostColumns = 20'000;

struct SeriesText {
  datasets::text::CsvOptions
      csv;                     ///< separator (comma, semicolon, tab), line ends, encoding, whether there is a header
  bool decimal_comma = false;  ///< with semicolons and tabs only
  bool grouped = false;        ///< thousands are set apart: 1,234.5 or, with decimal commas, 1.234,5
  std::size_t units_line = 0;  ///< the line below the header that holds units; 0: none
  std::vector<std::string> notes;  ///< what was recognised and is not the rule
};

/// Throws DataError for more than kMostColumns columns, and for rows that are separated in different ways.
SeriesText recognise_text(const std::string& path);

}  // namespace fovea::datasets::series

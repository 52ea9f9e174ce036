#pragma once
/// Cells of a table of one's own: numbers, limits, dates and words, in whatever way the file writes them.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/datasets/series/dates.hpp"
#include "fovea/datasets/series/text.hpp"

namespace fovea::datasets::cases {

/// "name [unit]": both without the blanks around them; the unit is "1" where none is given.
struct ColumnTitle {
  std::string name, unit = "1";
};
ColumnTitle title_of(std::string_view column);

struct CellRules {
  series::SeriesText text;           ///< separator, decimal commas, thousands, the row of units
  std::vector<std::string> missing;  ///< words and numbers for nothing, beside those that is_missing() knows
  series::DayMonth dates = series::DayMonth::unknown;
};

struct CellNumber {
  double value = 0;
  bool limit = false;  ///< the cell said "<0.1" (half the limit is taken) or ">200" (the limit)
};

/// Empty, a word for nothing (series::is_missing()), or one of the rules' own marks, which are compared as numbers
/// where they are numbers.
bool is_missing(std::string_view cell, const CellRules& rules);
/// The same where cells are names: "none" is one, such as that of a treatment.
bool is_missing_name(std::string_view cell, const CellRules& rules);
/// Finite numbers alone; nothing for anything else.
std::optional<CellNumber> number_in(std::string_view cell, const CellRules& rules);
/// How a cell is called where cells are names: a number in its shortest form ("1" for "1.0"), else the trimmed text.
std::string name_in(std::string_view cell, const CellRules& rules);

}  // namespace fovea::datasets::cases

#pragma once
/// Cells of a text file of series as numbers: missing ones, decimal commas, thousands set apart, units behind a number.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/datasets/series/text.hpp"

namespace fovea::datasets::series {

/// Nothing, or a word for nothing: NA, N/A, #N/A, NaN, null, nil, none, nd, missing (whatever the case), a single point
/// or question mark, and dashes.
bool is_missing(std::string_view cell);

/// "1,5" and "-2,25e3".
bool is_decimal_comma(std::string_view cell);

std::optional<double> number_in(std::string_view cell, bool decimal_comma);

/// "1,234", "-12,345,678.9": groups of three behind one to three digits, the first of which is no 0.
struct GroupedNumber {
  double value = 0;
  std::size_t groups = 0;
  bool has_decimals = false;
};
std::optional<GroupedNumber> grouped_number(std::string_view cell, bool decimal_comma);

/// Whether no other reading is possible: with decimals, or several groups.
bool is_surely_grouped(std::string_view cell, bool decimal_comma);

/// "Total", "Mean", "Summe", ...: how a row begins that sums up the others.
bool is_summary_word(std::string_view cell);

/// The cells of a file as numbers.
class CellNumbers {
 public:
  explicit CellNumbers(const SeriesText& text) : decimal_comma_(text.decimal_comma), grouped_(text.grouped) {}

  /// A cell of the reader's row, NaN where it is missing. A unit behind the number is left out where the whole column
  /// has it. Throws DataError with file, row and column for anything else, and for an infinite one.
  double at(const datasets::text::CsvReader& reader, std::size_t column);

  /// On units and thousands that were met, a sentence each.
  std::vector<std::string> notes(const std::vector<std::string>& columns) const;

 private:
  struct Column {
    std::size_t plain = 0, with_unit = 0;  ///< cells
    std::string unit;
  };
  double plain(const datasets::text::CsvReader& reader, std::size_t column, double value);
  double value_with_unit(const datasets::text::CsvReader& reader, std::size_t column, std::string_view cell);
  Column& of(std::size_t column);

  bool decimal_comma_, grouped_;
  std::vector<Column> columns_;
  std::size_t grouped_cells_ = 0;
  std::string grouped_example_;
};

}  // namespace fovea::datasets::series

#include "fovea/datasets/series/cell_numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/series/dates.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::series {

namespace {

std::optional<double> plain_number(std::string_view cell) {
  double value = 0;
  const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || stop != cell.data() + cell.size()) return std::nullopt;
  return value;
}

/// What stands behind a number and may be a unit: letters, %, a degree; no power of ten.
std::string_view unit_behind(std::string_view cell) {
  constexpr std::size_t kLongestUnit = 16;
  constexpr std::array<std::string_view, 9> kPowers{"k", "K", "M", "G", "bn", "Mio", "Mrd", "million", "thousand"};
  const std::size_t stop = cell.find_last_of("0123456789.,");
  if (stop == std::string_view::npos || stop + 1 == cell.size()) return {};
  const std::string_view unit = datasets::text::trimmed(cell.substr(stop + 1));
  const bool is_text = std::all_of(unit.begin(), unit.end(), [](char letter) {
    return static_cast<unsigned char>(letter) >= ' ' && letter != 0x7F;
  });
  const bool fits =
      !unit.empty() && is_text && unit.size() <= kLongestUnit && unit.find_first_of("+-()<>=:;'\"*") > unit.size();
  return fits && std::find(kPowers.begin(), kPowers.end(), unit) == kPowers.end() ? unit : std::string_view{};
}

}  // namespace

bool is_missing(std::string_view cell) {
  constexpr std::array<std::string_view, 14> kWords{"na",  "n/a",  "nan", "null", "none",    "#n/a", "#na",
                                                    "nil", "n.a.", "nd",  "n/d",  "missing", "<na>", "?"};
  cell = datasets::text::trimmed(cell);
  if (cell.empty() || cell == ".") return true;
  if (cell.size() > 7) return false;
  if (cell.find_first_not_of('-') == std::string_view::npos) return true;
  std::array<char, 7> lower_case{};
  for (std::size_t i = 0; i < cell.size(); ++i)
    lower_case[i] = cell[i] >= 'A' && cell[i] <= 'Z' ? static_cast<char>(cell[i] - 'A' + 'a') : cell[i];
  return std::find(kWords.begin(), kWords.end(), std::string_view(lower_case.data(), cell.size())) != kWords.end();
}

bool is_decimal_comma(std::string_view cell) {
  const std::size_t comma = cell.find(',');
  if (comma == std::string_view::npos || cell.find(',', comma + 1) != std::string_view::npos) return false;
  const std::size_t start = cell.starts_with('-') || cell.starts_with('+') ? 1 : 0;
  return comma >= start && cell.size() > comma + 1 && cell[comma + 1] >= '0' && cell[comma + 1] <= '9' &&
         cell.find_first_not_of("0123456789,eE+-") == std::string_view::npos;
}

std::optional<double> number_in(std::string_view cell, bool decimal_comma) {
  cell = datasets::text::trimmed(cell);
  constexpr std::string_view kMinus = "\xE2\x88\x92";  // U+2212
  if (cell.starts_with(kMinus)) return number_in(concat('-', cell.substr(kMinus.size())), decimal_comma);
  if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
  if (!decimal_comma || cell.find(',') == std::string_view::npos) return plain_number(cell);
  std::string copy(cell);
  std::replace(copy.begin(), copy.end(), ',', '.');
  return plain_number(copy);
}

std::optional<GroupedNumber> grouped_number(std::string_view cell, bool decimal_comma) {
  cell = datasets::text::trimmed(cell);
  const char between = decimal_comma ? '.' : ',', point = decimal_comma ? ',' : '.';
  const auto is_digit_at = [&](std::size_t i) { return i < cell.size() && cell[i] >= '0' && cell[i] <= '9'; };
  std::size_t place = !cell.empty() && (cell[0] == '-' || cell[0] == '+') ? 1 : 0;
  std::string digits = cell.starts_with('-') ? "-" : "";
  const std::size_t first = place;
  while (is_digit_at(place)) digits += cell[place++];
  if (place == first || place > first + 3 || cell[first] == '0') return std::nullopt;
  GroupedNumber number;
  for (; place < cell.size() && cell[place] == between; place += 4, ++number.groups) {
    if (!is_digit_at(place + 1) || !is_digit_at(place + 2) || !is_digit_at(place + 3)) return std::nullopt;
    digits += cell.substr(place + 1, 3);
  }
  if (number.groups == 0) return std::nullopt;
  if (place < cell.size() && cell[place] == point) {
    number.has_decimals = true;
    for (digits += '.', ++place; is_digit_at(place); ++place) digits += cell[place];
  }
  const auto value = place == cell.size() ? plain_number(digits) : std::nullopt;
  if (!value) return std::nullopt;
  number.value = *value;
  return number;
}

bool is_surely_grouped(std::string_view cell, bool decimal_comma) {
  const auto number = grouped_number(cell, decimal_comma);
  return number && (number->has_decimals || number->groups > 1);
}

bool is_summary_word(std::string_view cell) {
  constexpr std::array<std::string_view, 16> kWords{
      "total",  "totals", "sum",    "mean",       "average", "avg", "minimum",     "maximum",
      "median", "summe",  "gesamt", "mittelwert", "min",     "max", "grand total", "std"};
  cell = datasets::text::trimmed(cell);
  if (cell.empty() || static_cast<unsigned char>(cell[0]) < 'A') return false;
  while (cell.ends_with(':')) cell.remove_suffix(1);
  const std::string word = datasets::text::lower_case(cell.substr(0, 16));
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

namespace {

[[noreturn]] void refuse_number(const datasets::text::CsvReader& reader, std::size_t column, std::string_view digits) {
  const std::string shown = datasets::text::shown_text(digits);
  if (is_decimal_comma(digits))
    reader.refuse(column, concat("'", shown,
                                 "' is not a number; write a decimal point, or decimal commas throughout "
                                 "and semicolons between the columns."));
  if (reader.columns().size() == 1 && digits.find(' ') != std::string_view::npos)
    reader.refuse(column, concat("'", shown,
                                 "' is not one number; separate columns by commas, semicolons, tabs or bars, not by "
                                 "blanks."));
  double value = 0;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc::result_out_of_range)
    reader.refuse(column, concat("'", shown, "' is too large or too small for a number; scale the column."));
  if (is_date(digits) || (digits.find_first_not_of("0123456789/.-") == std::string_view::npos && digits.size() >= 6))
    reader.refuse(column, concat("'", shown, "' is not a number; if the column holds times, name it (time)."));
  reader.refuse(column, concat("'", shown,
                               "' is not a number; leave the cell empty where nothing was measured, or name "
                               "the columns that are series (columns)."));
}

}  // namespace

CellNumbers::Column& CellNumbers::of(std::size_t column) {
  if (column >= columns_.size()) columns_.resize(column + 1);
  return columns_[column];
}

double CellNumbers::at(const datasets::text::CsvReader& reader, std::size_t column) {
  if (const auto number = decimal_comma_ ? std::nullopt : plain_number(reader.text(column));  // nearly all cells
      number && std::isfinite(*number))
    return plain(reader, column, *number);
  const std::string_view cell = datasets::text::trimmed(reader.text(column));
  // Points that set thousands apart where commas are decimal look like decimal points.
  const bool may_be_grouped = decimal_comma_ && cell.find('.') != std::string_view::npos;
  const auto number = may_be_grouped && grouped_number(cell, true) ? std::nullopt : number_in(cell, decimal_comma_);
  if (number && std::isfinite(*number)) return plain(reader, column, *number);
  if (is_missing(cell) || (number && std::isnan(*number))) return std::numeric_limits<double>::quiet_NaN();
  if (number)
    reader.refuse(column, concat("is ", datasets::text::shown_text(cell),
                                 "; a value must be finite: leave the cell empty where none is known."));
  if (const auto grouped = grouped_number(cell, decimal_comma_)) {
    if (!grouped_ && !is_surely_grouped(cell, decimal_comma_) && decimal_comma_)
      reader.refuse(column, concat("'", datasets::text::shown_text(cell), "' can be ", grouped->value, " or ",
                                   grouped->value / 1000, "; write it without a mark between thousands."));
    ++grouped_cells_;
    if (grouped_example_.empty()) grouped_example_ = concat(datasets::text::shown_text(cell), " is ", grouped->value);
    return plain(reader, column, grouped->value);
  }
  return value_with_unit(reader, column, cell);
}

double CellNumbers::plain(const datasets::text::CsvReader& reader, std::size_t column, double value) {
  Column& seen = of(column);
  if (seen.with_unit > 0)
    reader.refuse(column, concat("is ", value, " without a unit, but the rows above are in ", seen.unit,
                                 "; give a column one unit."));
  ++seen.plain;
  return value;
}

double CellNumbers::value_with_unit(const datasets::text::CsvReader& reader, std::size_t column,
                                    std::string_view cell) {
  const std::string_view unit = unit_behind(cell);
  const std::string_view digits =
      unit.empty() ? cell : datasets::text::trimmed(cell.substr(0, cell.size() - unit.size()));
  const auto number = unit.empty() ? std::nullopt : number_in(digits, decimal_comma_);
  if (!number || !std::isfinite(*number)) refuse_number(reader, column, cell);
  Column& seen = of(column);
  if (seen.with_unit == 0 && seen.plain == 0) seen.unit = unit;
  if (seen.unit != unit)
    reader.refuse(column, concat("'", datasets::text::shown_text(cell), "' has the unit ",
                                 datasets::text::shown_text(unit), ", but the rows above have ",
                                 seen.unit.empty() ? "none" : seen.unit, "; give a column one unit."));
  ++seen.with_unit;
  return *number;
}

std::vector<std::string> CellNumbers::notes(const std::vector<std::string>& columns) const {
  std::vector<std::string> notes;
  if (grouped_cells_ > 0)
    notes.push_back(concat("Numbers with marks between thousands are read as such: ", grouped_example_, "."));
  for (std::size_t c = 0; c < columns_.size() && c < columns.size(); ++c)
    if (columns_[c].with_unit > 0)
      notes.push_back(concat("The values of '", datasets::text::shown_text(columns[c]), "' are in ", columns_[c].unit,
                             ", which stands behind each."));
  return notes;
}

}  // namespace fovea::datasets::series

#include "fovea/datasets/cases/table_cells.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/words.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"

namespace fovea::datasets::cases {

namespace {

std::optional<double> finite_number(std::string_view cell, const series::SeriesText& text) {
  // Points that set thousands apart where commas are decimal look like decimal points.
  const bool by_points = text.decimal_comma && cell.find('.') != std::string_view::npos;
  if (text.grouped || by_points)
    if (const auto grouped = series::grouped_number(cell, text.decimal_comma)) return grouped->value;
  const auto number = series::number_in(cell, text.decimal_comma);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

}  // namespace

ColumnTitle title_of(std::string_view column) {
  const std::string_view whole = text::trimmed(column);
  const std::size_t open = whole.rfind('[');
  if (open == std::string_view::npos || open == 0 || whole.back() != ']') return {std::string(whole), "1"};
  const std::string_view unit = text::trimmed(whole.substr(open + 1, whole.size() - open - 2));
  return {std::string(text::trimmed(whole.substr(0, open))), unit.empty() ? "1" : std::string(unit)};
}

bool is_missing(std::string_view cell, const CellRules& rules) {
  if (series::is_missing(cell)) return true;
  if (rules.missing.empty()) return false;
  const std::string name = name_in(cell, rules);
  return std::find(rules.missing.begin(), rules.missing.end(), name) != rules.missing.end();
}

bool is_missing_name(std::string_view cell, const CellRules& rules) {
  cell = text::trimmed(cell);
  const bool none = cell == "none" || cell == "None" || cell == "NONE";
  return !none && is_missing(cell, rules);
}

std::optional<CellNumber> number_in(std::string_view cell, const CellRules& rules) {
  cell = text::trimmed(cell);
  if (const auto number = finite_number(cell, rules.text)) return CellNumber{*number};
  if (cell.size() < 2 || (cell[0] != '<' && cell[0] != '>')) return std::nullopt;
  const bool below = cell[0] == '<';
  cell.remove_prefix(cell[1] == '=' ? 2 : 1);
  const auto limit = finite_number(text::trimmed(cell), rules.text);
  if (!limit) return std::nullopt;
  return CellNumber{below ? *limit / 2 : *limit, true};
}

std::string name_in(std::string_view cell, const CellRules& rules) {
  cell = text::trimmed(cell);
  const auto number = finite_number(cell, rules.text);
  return number ? exact_text(*number) : std::string(cell);
}

}  // namespace fovea::datasets::cases

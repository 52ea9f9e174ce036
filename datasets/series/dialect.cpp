#include "fovea/datasets/series/dialect.hpp"

#include "fovea/core/base/missing.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/series/text.hpp"

namespace fovea::datasets::series {

datasets::text::CsvOptions dialect_of(const std::string& path) {
  const SeriesText text = recognise_text(path);
  datasets::text::CsvOptions options;
  options.separator = text.csv.separator;
  options.line_end = text.csv.line_end;
  options.latin = text.csv.latin;
  options.comment = '#';
  return options;
}

std::vector<std::string> reading_notes(const std::string& path) {
  if (!recognise_text(path).csv.latin) return {};
  return {path.substr(path.find_last_of('/') + 1) + " is not UTF-8; its letters are read as Latin-1 (Windows-1252)."};
}

double number_of(const datasets::text::CsvReader& reader, std::size_t column,
                 const datasets::text::CsvOptions& dialect) {
  const std::string_view cell = datasets::text::trimmed(reader.text(column));
  if (dialect.separator != ',' && is_decimal_comma(cell))
    if (const auto value = number_in(cell, true)) return *value;
  return is_missing(cell) ? kNan : reader.number(column);
}

}  // namespace fovea::datasets::series

#include "fovea/datasets/series/text.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/series/times.hpp"

namespace fovea::datasets::series {

namespace {

constexpr std::size_t kHeadBytes = std::size_t{1} << 16;
constexpr std::size_t kLongestHead = std::size_t{1} << 26;
constexpr std::size_t kHeadRows = 12;  // enough to tell a header from data
constexpr std::array kSeparators{',', ';', '\t'};

/// The first bytes of a plain or packed file, with some whole lines; what cannot be read is left to the reader.
std::string head_of(const std::string& path) {
  std::string head;
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return head;
  for (int done = 1; done > 0 && head.size() < kLongestHead;) {
    const std::size_t size = head.size();
    head.resize(size + kHeadBytes);
    done = gzread(file, head.data() + size, kHeadBytes);
    head.resize(size + static_cast<std::size_t>(std::max(0, done)));
    const auto is_end = [](char letter) { return letter == '\n' || letter == '\r'; };
    if (std::count_if(head.begin() + static_cast<std::ptrdiff_t>(size), head.end(), is_end) >= 6) break;
  }
  gzclose(file);
  return head;
}

struct HeadRow {
  std::size_t line = 0;
  std::string_view text;
};

std::vector<HeadRow> rows_of_head(std::string_view head, char line_end) {
  std::vector<HeadRow> rows;
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  for (std::size_t line = 1; !head.empty() && rows.size() < kHeadRows; ++line) {
    const std::size_t stop = std::min(head.find(line_end), head.size());
    std::string_view row = head.substr(0, stop);
    if (row.ends_with('\r')) row.remove_suffix(1);
    if (!row.empty() && row[0] != '#') rows.push_back({line, row});
    head.remove_prefix(std::min(head.size(), stop + 1));
  }
  // A row that the head cuts off says nothing, unless it is all there is.
  if (head.empty() && rows.size() > 2) rows.pop_back();
  return rows;
}

/// Separators of the row outside of quotes.
std::size_t count_of(std::string_view row, char separator) {
  std::size_t count = 0;
  bool open = false;
  for (const char letter : row) {
    if (letter == '"') open = !open;
    if (letter == separator && !open) ++count;
  }
  return count;
}

std::vector<std::string_view> cells_of(std::string_view row, char separator) {
  std::vector<std::string_view> cells;
  bool open = false;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= row.size(); ++i) {
    if (i < row.size() && row[i] == '"') open = !open;
    if (i < row.size() && (row[i] != separator || open)) continue;
    std::string_view cell = datasets::text::trimmed(row.substr(start, i - start));
    if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    cells.push_back(cell);
    start = i + 1;
  }
  return cells;
}

/// The separator that the first row has and the second has as often; failing that the first row's.
char separator_of(const std::vector<HeadRow>& rows) {
  char most = ',';
  for (const char separator : kSeparators) {
    const std::size_t count = count_of(rows[0].text, separator);
    if (count > 0 && rows.size() > 1 && count_of(rows[1].text, separator) == count) {
      // "a;b" above "1,5;2,5": the semicolon; "1,5;2,5" above "1,6;2,4": the semicolon too.
      if (separator == ',' && count_of(rows[0].text, ';') > 0 &&
          count_of(rows[0].text, ';') == count_of(rows[1].text, ';'))
        continue;
      return separator;
    }
    if (count > count_of(rows[0].text, most)) most = separator;
  }
  return most;
}

const char* name_of(char separator) { return separator == ',' ? "commas" : separator == ';' ? "semicolons" : "tabs"; }

void refuse_mixed(const std::string& path, const std::vector<HeadRow>& rows, char separator) {
  const std::size_t count = count_of(rows[0].text, separator);
  if (count == 0 || rows.size() < 2 || count_of(rows[1].text, separator) == count) return;
  for (const char other : kSeparators)
    if (other != separator && count_of(rows[1].text, other) == count)
      throw DataError(concat(path, ":row ", rows[1].line, ": is separated by ", name_of(other), ", but row ",
                             rows[0].line, " by ", name_of(separator), "; use one of them throughout."));
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
  if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
  if (decimal_comma && cell.find(',') != std::string_view::npos) {
    std::string copy(cell);
    std::replace(copy.begin(), copy.end(), ',', '.');
    return number_in(copy, false);
  }
  double value = 0;
  const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || stop != cell.data() + cell.size()) return std::nullopt;
  return value;
}

bool is_whole(double value) { return std::floor(value) == value; }

/// Names are not numbers, but for running numbers above cells that are none.
bool is_header(const std::vector<HeadRow>& rows, char separator, bool decimal_comma) {
  const std::vector<std::string_view> cells = cells_of(rows[0].text, separator);
  std::vector<double> numbers;
  std::size_t dates = 0;
  for (const std::string_view cell : cells) {
    if (is_missing(cell)) continue;
    const auto number = number_in(cell, decimal_comma);
    if (!number && !date_of(cell)) return true;
    number ? numbers.push_back(*number) : void(++dates);
  }
  if (dates > 0 || numbers.size() < 2 || rows.size() < 2) return numbers.empty() && dates == 0;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!is_whole(numbers[i]) || numbers[i] != numbers[0] + static_cast<double>(i)) return false;
  for (std::size_t r = 1; r < rows.size(); ++r)
    for (const std::string_view cell : cells_of(rows[r].text, separator)) {
      const auto number = number_in(cell, decimal_comma);
      if (number && !is_whole(*number)) return true;
    }
  return false;
}

/// Enough for rows somewhat longer than the longest of the head.
std::size_t longest_row_of(const std::vector<HeadRow>& rows) {
  std::size_t longest = 0;
  for (const HeadRow& row : rows) longest = std::max(longest, row.text.size());
  return std::max(datasets::text::CsvOptions().longest_row, 4 * longest);
}

}  // namespace

bool is_missing(std::string_view cell) {
  cell = datasets::text::trimmed(cell);
  if (cell.empty() || cell == ".") return true;
  if (cell.size() > 4) return false;
  std::array<char, 4> small{};
  for (std::size_t i = 0; i < cell.size(); ++i)
    small[i] = cell[i] >= 'A' && cell[i] <= 'Z' ? static_cast<char>(cell[i] - 'A' + 'a') : cell[i];
  const std::string_view word(small.data(), cell.size());
  return word == "na" || word == "n/a" || word == "nan" || word == "null" || word == "none";
}

SeriesText recognise_text(const std::string& path) {
  SeriesText text;
  text.csv.comment = '#';
  text.csv.prefix = "x";
  const std::string head = head_of(path);
  if (head.find('\n') == std::string::npos && head.find('\r') != std::string::npos) {
    text.csv.line_end = '\r';
    text.notes.push_back("Lines end in bare carriage returns.");
  }
  const std::vector<HeadRow> rows = rows_of_head(head, text.csv.line_end);
  if (rows.empty()) return text;
  const char separator = text.csv.separator = separator_of(rows);
  const std::size_t columns = count_of(rows[0].text, separator) + 1;
  if (columns > kMostColumns)
    throw DataError(concat(path, ":row ", rows[0].line, ": has ", columns, " columns, but at most ", kMostColumns,
                           " are read. Rows are times and columns are series: is the table on its side?"));
  refuse_mixed(path, rows, separator);
  if (separator != ',')
    for (const HeadRow& row : rows)
      for (const std::string_view cell : cells_of(row.text, separator))
        text.decimal_comma = text.decimal_comma || is_decimal_comma(cell);
  text.csv.header = is_header(rows, separator, text.decimal_comma);
  text.csv.longest_row = longest_row_of(rows);
  if (separator != ',')
    text.notes.push_back(concat("Columns are separated by ", name_of(separator),
                                text.decimal_comma ? "; numbers have decimal commas." : "."));
  if (!text.csv.header)
    text.notes.push_back(
        "The first row holds numbers and no names, so the columns are called x1, x2, ...; names in a first row are "
        "better.");
  return text;
}

double cell_number(const datasets::text::CsvReader& reader, std::size_t column, bool decimal_comma) {
  const std::string_view cell = reader.text(column);
  const auto number = number_in(cell, decimal_comma);
  if (number && std::isfinite(*number)) return *number;
  if (is_missing(cell) || (number && std::isnan(*number))) return std::numeric_limits<double>::quiet_NaN();
  std::string_view digits = datasets::text::trimmed(cell);
  const std::string shown = datasets::text::shown_text(digits);
  if (number)
    reader.refuse(column, concat("is ", shown, "; a value must be finite: leave the cell empty where none is known."));
  if (is_decimal_comma(digits))
    reader.refuse(column, concat("'", shown,
                                 "' is not a number; write a decimal point, or decimal commas throughout "
                                 "and semicolons between the columns."));
  double value = 0;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc::result_out_of_range)
    reader.refuse(column, concat("'", shown, "' is too large or too small for a number; scale the column."));
  if (digits.find_first_not_of("0123456789/.-") == std::string_view::npos && digits.size() >= 6)
    reader.refuse(column, concat("'", shown, "' is not a number; if it is a date, write it as YYYY-MM-DD."));
  reader.refuse(column, concat("'", shown,
                               "' is not a number; leave the cell empty where nothing was measured, or name "
                               "the columns that are series (columns)."));
}

}  // namespace fovea::datasets::series

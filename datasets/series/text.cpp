#include "fovea/datasets/series/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/series/dates.hpp"
#include "fovea/datasets/text/text_stream.hpp"

namespace fovea::datasets::series {

namespace {

constexpr std::size_t kHeadBytes = std::size_t{1} << 16;
constexpr std::size_t kLongestHead = std::size_t{1} << 26;
constexpr std::size_t kHeadRows = 12;  // enough to tell a header from data
constexpr std::array kSeparators{',', ';', '\t', '|'};

/// The first bytes of a plain or packed file, with some whole lines; what cannot be read is left to the reader.
std::string head_of(const std::string& path) {
  std::string head, piece(kHeadBytes, '\0');
  try {
    datasets::text::TextStream stream(path);
    while (head.size() < kLongestHead) {
      const std::size_t done = stream.read(piece.data(), piece.size());
      head.append(piece, 0, done);
      const auto is_end = [](char letter) { return letter == '\n' || letter == '\r'; };
      if (done == 0 || std::count_if(piece.data(), piece.data() + done, is_end) >= 6) break;
    }
  } catch (const std::exception&) {  // the reader meets the same, and says it with the file's name
  }
  return head;
}

struct HeadRow {
  std::size_t line = 0;
  std::string_view text;
};

std::vector<HeadRow> rows_of_head(std::string_view head, char line_end) {
  std::vector<HeadRow> rows;
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::size_t told = datasets::text::separator_line(head, line_end);
  head.remove_prefix(told);
  for (std::size_t line = told > 0 ? 2 : 1; !head.empty() && rows.size() < kHeadRows; ++line) {
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

const char* name_of(char separator) {
  return separator == ',' ? "commas" : separator == ';' ? "semicolons" : separator == '|' ? "bars" : "tabs";
}

void refuse_mixed(const std::string& path, const std::vector<HeadRow>& rows, char separator) {
  const std::size_t count = count_of(rows[0].text, separator);
  if (count == 0 || rows.size() < 2 || count_of(rows[1].text, separator) == count) return;
  for (const char other : kSeparators)
    if (other != separator && count_of(rows[1].text, other) == count)
      throw DataError(concat(path, ":row ", rows[1].line, ": is separated by ", name_of(other), ", but row ",
                             rows[0].line, " by ", name_of(separator), "; use one of them throughout."));
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
    if (!number && !is_date(cell)) return true;
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

/// Whether the row below the names holds units: words where the next row has numbers.
bool is_units_row(const std::vector<HeadRow>& rows, char separator, bool decimal_comma) {
  constexpr std::size_t kLongestUnit = 24;
  if (rows.size() < 3) return false;
  const std::vector<std::string_view> words = cells_of(rows[1].text, separator),
                                      below = cells_of(rows[2].text, separator);
  const auto has_number = [&](std::string_view cell) { return number_in(cell, decimal_comma) || is_date(cell); };
  std::size_t units = 0;
  for (std::size_t c = 0; c < words.size() && c < below.size(); ++c) {
    if (words[c].size() > kLongestUnit || has_number(words[c])) return false;
    if (!is_missing(words[c]) && has_number(below[c])) ++units;
  }
  return units > 0 && words.size() == below.size() && std::any_of(below.begin(), below.end(), has_number);
}

std::string units_sentence(const std::vector<HeadRow>& rows, char separator) {
  const std::vector<std::string_view> names = cells_of(rows[0].text, separator),
                                      words = cells_of(rows[1].text, separator);
  constexpr std::size_t kFew = 8;
  std::string text = concat("Row ", rows[1].line, " is read as units: ");
  std::size_t named = 0;
  for (std::size_t c = 0; c < words.size() && c < names.size(); ++c) {
    if (is_missing(words[c])) continue;
    if (++named <= kFew)
      text += concat(named == 1 ? "" : ", ", datasets::text::shown_text(names[c]), " in ",
                     datasets::text::shown_text(words[c]));
  }
  return text + (named > kFew ? ", ..." : ".");
}

/// Numbers of the head: whether commas are decimal, and whether thousands are set apart.
void recognise_numbers(const std::vector<HeadRow>& rows, SeriesText& text) {
  bool comma_groups = false, point_groups = false;
  for (const HeadRow& row : rows)
    for (const std::string_view cell : cells_of(row.text, text.csv.separator)) {
      text.decimal_comma = text.decimal_comma || (text.csv.separator != ',' && is_decimal_comma(cell));
      comma_groups = comma_groups || is_surely_grouped(cell, false);
      point_groups = point_groups || (text.csv.separator != ',' && is_surely_grouped(cell, true));
    }
  if (comma_groups && !point_groups) text.decimal_comma = false;
  if (point_groups && !comma_groups) text.decimal_comma = true;
  text.grouped = comma_groups != point_groups;
}

/// Enough for rows somewhat longer than the longest of the head.
std::size_t longest_row_of(const std::vector<HeadRow>& rows) {
  std::size_t longest = 0;
  for (const HeadRow& row : rows) longest = std::max(longest, row.text.size());
  return std::max(datasets::text::CsvOptions().longest_row, 4 * longest);
}

/// Whether every letter beyond ASCII begins and goes on as one of UTF-8, whatever it means: then the text is UTF-8 that
/// was spoilt (an overlong form, half a surrogate) rather than Latin-1, where an accent hardly ever stands before the
/// right number of signs from 0x80 to 0xBF.
bool is_shaped_as_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) continue;
    const std::size_t further = byte >= 0xF8 ? 0 : byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC0 ? 1 : 0;
    if (further == 0) return false;
    for (std::size_t k = 0; k < further; ++k)
      if (++i >= text.size() || (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return false;
  }
  return true;
}

}  // namespace

SeriesText recognise_text(const std::string& path) {
  SeriesText text;
  text.csv.comment = '#';
  text.csv.prefix = "x";
  std::string head = head_of(path);
  const std::string whole_rows = head.substr(0, head.find_last_of("\r\n") + 1);
  if (!datasets::text::is_utf8(whole_rows) && !is_shaped_as_utf8(whole_rows) && head.find('\0') == std::string::npos) {
    text.csv.latin = true;
    head = datasets::text::utf8_of_latin(head);
    text.notes.push_back("The file is not UTF-8; its letters are read as Latin-1 (Windows-1252).");
  }
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
  recognise_numbers(rows, text);
  text.csv.header = is_header(rows, separator, text.decimal_comma);
  if (text.csv.header && is_units_row(rows, separator, text.decimal_comma)) {
    text.units_line = rows[1].line;
    text.notes.push_back(units_sentence(rows, separator));
  }
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

}  // namespace fovea::datasets::series

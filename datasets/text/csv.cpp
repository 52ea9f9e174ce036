#include "fovea/datasets/text/csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <deque>
#include <limits>
#include <unordered_set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/text/names.hpp"
#include "fovea/datasets/text/row_fault.hpp"
#include "fovea/datasets/text/text_stream.hpp"

namespace fovea::datasets::text {
std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string shown_text(std::string_view text, std::size_t most) {
  std::size_t kept = std::min(text.size(), most);
  while (kept > 0 && kept < text.size() && (static_cast<unsigned char>(text[kept]) & 0xC0) == 0x80) --kept;
  std::string out(text.substr(0, kept));
  for (char& letter : out)
    if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7F') letter = '?';
  return out + (text.size() > kept ? "..." : "");
}

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// How many bytes of the text are UTF-8 (Unicode 15, table 3-7: no overlong forms, no surrogates).
std::size_t utf8_prefix(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  std::size_t i = 0;
  while (i < text.size()) {
    const unsigned lead = byte(i), second = byte(i + 1);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    const unsigned lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4) return i;
    if (length > 1 && (second < lowest || second > highest)) return i;
    for (std::size_t k = 2; k < length; ++k)
      if ((byte(i + k) & 0xC0) != 0x80) return i;
    i += length;
  }
  return i;
}

/// A byte that most files have nowhere: NUL, a carriage return, or one beyond ASCII. Eight at a time.
bool has_rare_byte(const char* bytes, std::size_t size) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHighs = 0x8080808080808080;
  std::uint64_t found = 0;
  for (; size >= 8; size -= 8, bytes += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, 8);
    const std::uint64_t returns = word ^ (kOnes * '\r');
    found |= word | ((word - kOnes) & ~word) | ((returns - kOnes) & ~returns);
  }
  for (; size > 0; --size, ++bytes) found |= *bytes == '\0' || *bytes == '\r' || *bytes < 0 ? kHighs : 0;
  return (found & kHighs) != 0;
}

/// What the bytes 0x80 to 0x9F are in Windows-1252.
constexpr std::array<unsigned, 32> kWindows{0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                            0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD,
                                            0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                            0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178};

}  // namespace

std::size_t separator_line(std::string_view text, char line_end) {
  constexpr std::size_t kLongest = 9;  // "sep=;" in quotes and a line end of two
  const std::size_t stop = text.substr(0, kLongest).find(line_end);
  if (stop == std::string_view::npos) return 0;
  std::string_view row = text.substr(0, stop);
  if (row.ends_with('\r')) row.remove_suffix(1);
  if (row.size() == 7 && row.front() == '"' && row.back() == '"') row = row.substr(1, 5);
  return row.size() == 5 && (row.starts_with("sep=") || row.starts_with("SEP=")) ? stop + 1 : 0;
}

bool is_utf8(std::string_view text) { return utf8_prefix(text) == text.size(); }

std::string utf8_of_latin(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x80)
      out += letter;
    else
      append_utf8(byte < 0xA0 ? kWindows[byte - 0x80U] : byte, out);
  }
  return out;
}

std::string utf8_of_point(unsigned point) {
  std::string text;
  const bool is_letter = point > 0 && point < 0x110000 && (point < 0xD800 || point >= 0xE000);
  if (is_letter) append_utf8(point, text);
  return text;
}

struct CsvReader::State {
  State(const std::string& file, const CsvOptions& given) : path(file), options(given), stream(file) {}
  State(CsvText text, const CsvOptions& given)
      : path(text.name), options(given), stream(text.name, std::move(text.bytes)) {}

  std::string path;
  CsvOptions options;
  TextStream stream;
  std::vector<std::string> columns;
  std::vector<std::string_view> fields;
  std::deque<std::string> decoded;  ///< what fields view that were not UTF-8
  std::string buffer;               // bytes from the file
  std::size_t begin = 0;            // of what is not yet consumed
  std::size_t end = 0;              // of what was read
  std::size_t line = 1;             // of `begin`
  std::size_t row_line = 0;         // where the current row begins
  bool at_end = false;
  bool has_rare = false;   // some byte read so far is rare: see check_text()
  bool has_quote = false;  // some byte read so far is a quote

  [[noreturn]] void refuse(const std::string& sentence) const {
    throw DataError(concat(path, ":row ", row_line, ": ", sentence));
  }

  /// More bytes behind `end`; false at the end of the file. Moves the unread ones to the front.
  bool refill() {
    if (at_end) return false;
    std::memmove(buffer.data(), buffer.data() + begin, end - begin);
    end -= begin;
    begin = 0;
    if (end > options.longest_row)
      refuse(concat("is longer than ", options.longest_row, " bytes; is this a table? A quote may be open."));
    if (buffer.size() < end + kBufferBytes) buffer.resize(end + kBufferBytes);
    const std::size_t done = stream.read(buffer.data() + end, kBufferBytes);
    has_rare = has_rare || has_rare_byte(buffer.data() + end, done);
    has_quote = has_quote || std::memchr(buffer.data() + end, '"', done) != nullptr;
    end += done;
    at_end = done == 0;
    return !at_end;
  }

  /// Where the row's line break is, counted from `begin` (the end of the bytes without one); npos: nothing left.
  /// Line breaks within quotes do not count; breaks counts them.
  std::size_t row_size(std::size_t& breaks, bool& has_quotes) {
    bool open = false;
    std::size_t looked = 0;
    for (;;) {
      const char* from = buffer.data() + begin + looked;
      const char* last = buffer.data() + end;
      const auto* stop = static_cast<const char*>(std::memchr(from, options.line_end, last - from));
      const char* until = stop == nullptr ? last : stop;
      const auto quotes =
          !has_quote ? nullptr
                     : static_cast<const char*>(std::memchr(from, '"', static_cast<std::size_t>(until - from)));
      if (quotes != nullptr) {
        has_quotes = true;
        if (std::count(quotes, until, '"') % 2 != 0) open = !open;
      }
      looked = static_cast<std::size_t>(until - buffer.data()) - begin;
      if (stop != nullptr && !open) return looked;
      if (stop != nullptr) {
        ++breaks;
        ++looked;
        continue;
      }
      if (refill()) continue;
      if (open) refuse("has a quote that is never closed; close it, or double it if it belongs to the text.");
      return looked == 0 ? std::string::npos : looked;
    }
  }

  /// What is not text must not become a name. Within quotes a carriage return may stand anywhere.
  void check_text(std::string_view row, bool has_quotes) const {
    if (row.find('\0') != std::string_view::npos) refuse("holds a NUL byte; is this a text file?");
    if (!has_quotes && options.line_end != '\r' && row.find('\r') != std::string_view::npos)
      refuse("holds a carriage return that ends no line; lines must end in LF or CRLF.");
    if (const std::size_t good = utf8_prefix(row); !options.latin && good < row.size())
      refuse(concat("is not UTF-8 behind its first ", good, " bytes; save the file as UTF-8."));
  }

  /// Cuts a row without quotes.
  void split(std::string_view row) {
    const char* const last = row.data() + row.size();
    const char* start = row.data();
    for (const char* at = start; at != last; ++at) {  // most fields are shorter than a call of memchr() is worth
      if (*at != options.separator) continue;
      fields.emplace_back(start, at - start);
      start = at + 1;
    }
    fields.emplace_back(start, last - start);
  }

  /// Cuts a row with quotes; unquotes in place, as the text only gets shorter.
  void split_quoted(char* row, std::size_t size) {
    std::size_t place = 0;
    for (;;) {
      char* const start = row + place;
      std::size_t length = 0;
      if (place < size && row[place] == '"') {
        for (++place; place < size; ++place) {
          if (row[place] == '"' && (place + 1 >= size || row[place + 1] != '"')) break;
          if (row[place] == '"') ++place;
          start[length++] = row[place];
        }
        ++place;
        if (place < size && row[place] != options.separator)
          refuse("has text behind a closing quote; double the quotes that belong to the text.");
      } else {
        while (place < size && row[place] != options.separator) {
          ++place;
          ++length;
        }
      }
      fields.emplace_back(start, length);
      if (place >= size) return;
      ++place;
    }
  }

  /// The next row that is neither empty nor a comment, as fields.
  bool take_row() {
    for (;;) {
      row_line = line;
      std::size_t breaks = 0;
      bool has_quotes = false;
      // A quote in a comment opens nothing.
      if (begin == end && !refill()) return false;
      const bool is_comment = options.comment != '\0' && buffer[begin] == options.comment;
      const std::size_t size = is_comment ? comment_size() : row_size(breaks, has_quotes);
      if (size == std::string::npos) return false;
      char* const row = buffer.data() + begin;
      begin = std::min(end, begin + size + 1);
      line += breaks + 1;
      const std::size_t length = size > 0 && row[size - 1] == '\r' ? size - 1 : size;
      if (length == 0 || is_comment) continue;
      if (has_rare) check_text({row, length}, has_quotes);
      fields.clear();
      if (has_quotes)
        split_quoted(row, length);
      else
        split({row, length});
      if (options.latin && has_rare) decode_fields();
      return true;
    }
  }

  /// Fields of Windows-1252 as UTF-8.
  void decode_fields() {
    decoded.clear();
    for (std::string_view& field : fields)
      if (!is_utf8(field)) field = decoded.emplace_back(utf8_of_latin(field));
  }

  std::size_t comment_size() {
    for (;;) {
      const auto* stop = static_cast<const char*>(std::memchr(buffer.data() + begin, options.line_end, end - begin));
      if (stop != nullptr) return static_cast<std::size_t>(stop - buffer.data()) - begin;
      if (!refill()) return end - begin;
    }
  }

  void skip_byte_order_mark() {
    refill();
    const std::string_view front(buffer.data() + begin, end - begin);
    if (front.starts_with(kByteOrderMark)) begin += kByteOrderMark.size();
  }

  /// "sep=;", by which spreadsheets tell one another the separator.
  void skip_separator_line() {
    const std::string_view front(buffer.data() + begin, end - begin);
    const std::size_t size = separator_line(front, options.line_end);
    begin += size;
    line += size > 0 ? 1 : 0;
  }

  void take_header() {
    skip_byte_order_mark();
    skip_separator_line();
    if (!take_row()) throw DataError(concat(path, ": is empty; it needs a header and rows."));
    std::unordered_set<std::string> taken;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      std::string name = options.header ? std::string(trimmed(fields[i])) : options.prefix + std::to_string(i + 1);
      if (!taken.insert(name).second)
        refuse(name.empty() ? "has two columns without a name; name them."
                            : concat("has two columns '", shown_text(name), "'; rename one."));
      columns.push_back(std::move(name));
    }
  }
};

CsvReader::CsvReader(const std::string& path, const CsvOptions& options)
    : state_(std::make_unique<State>(path, options)) {
  state_->take_header();
  if (!options.header) first_row_waits_ = true;
}

CsvReader::CsvReader(CsvText text, const CsvOptions& options)
    : state_(std::make_unique<State>(std::move(text), options)) {
  state_->take_header();
  if (!options.header) first_row_waits_ = true;
}

CsvReader::~CsvReader() = default;

const std::vector<std::string>& CsvReader::columns() const { return state_->columns; }

bool CsvReader::has(std::string_view column) const {
  return std::find(columns().begin(), columns().end(), column) != columns().end();
}

std::size_t CsvReader::column(std::string_view name) const {
  const auto place = std::find(columns().begin(), columns().end(), name);
  if (place != columns().end()) return (place - columns().begin());
  throw DataError(concat(state_->path, ": has no column '", name, "'; there are: ", listed(columns(), &quoted), "."));
}

bool CsvReader::next() {
  if (std::exchange(first_row_waits_, false)) return true;
  if (!state_->take_row()) return false;
  if (state_->fields.size() != columns().size())
    throw RowFault(concat(state_->path, ":row ", row()), "more or fewer fields than the first row",
                   concat(state_->path, ":row ", row(), ": has ", counted(std::ssize(state_->fields), "field"),
                          ", but the first row has ", columns().size(), "; each row needs as many."));
  return true;
}

std::size_t CsvReader::row() const { return state_->row_line; }

std::string_view CsvReader::text(std::size_t column) const { return state_->fields.at(column); }

bool CsvReader::empty(std::size_t column) const { return trimmed(text(column)).empty(); }

double CsvReader::number(std::size_t column) const {
  std::string_view digits = trimmed(text(column));
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  double value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range)
    refuse(column, concat("'", shown_text(digits), "' is too large or too small for a number; scale the column."));
  if (error != std::errc() || stop != digits.data() + digits.size())
    refuse(column, concat("'", shown_text(text(column)), "' is not a number; use digits and a decimal point."));
  return value;
}

double CsvReader::number_or_nan(std::size_t column) const {
  const std::string_view word = trimmed(text(column));
  return word.empty() || word == "NA" || word == "NaN" ? std::numeric_limits<double>::quiet_NaN() : number(column);
}

std::int64_t CsvReader::whole(std::size_t column) const {
  const std::string_view digits = trimmed(text(column));
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || stop != digits.data() + digits.size())
    refuse(column, concat("'", shown_text(text(column)), "' is not a whole number; use digits only."));
  return value;
}

void CsvReader::refuse(std::size_t column, const std::string& sentence) const {
  const std::string place = concat(state_->path, ":row ", row());
  const std::string name = concat("column '", shown_text(columns().at(column)), "'");
  const bool nothing = empty(column);
  throw RowFault(place, concat(nothing ? "nothing in the " : "not to be read in the ", name),
                 concat(place, ", ", name, ": ", sentence));
}

}  // namespace fovea::datasets::text

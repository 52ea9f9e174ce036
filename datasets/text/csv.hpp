#pragma once
/// Reads .csv and .csv.gz files row by row, in constant memory, at disk speed.
///
/// RFC 4180: fields in double quotes may hold commas, line breaks and doubled quotes. Lines end in LF or CRLF; a UTF-8
/// byte order mark, a first line "sep=;" and empty lines are skipped; UTF-16 is told by its byte order mark. Every row
/// must be UTF-8 (or what the options say) without NUL and have as many fields as the first. Every mistake is a
/// DataError "FILE:row N, column 'x': ...", N being the line where the row begins, counted from 1.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fovea::datasets::text {

/// The text without blanks and tabs at its ends.
std::string_view trimmed(std::string_view text);

/// A piece of a file for a message or a note: at most `most` bytes of UTF-8, then "..."; control characters, such as a
/// line break within quotes, become question marks.
std::string shown_text(std::string_view text, std::size_t most = 40);

/// How long the line "sep=;" at the beginning of the text is, with its line end; 0 where there is none.
std::size_t separator_line(std::string_view text, char line_end);

/// Whether the text is UTF-8 (Unicode 15, table 3-7: no overlong forms, no surrogates).
bool is_utf8(std::string_view text);

/// A code point as UTF-8; "" for NUL, a surrogate and what is beyond U+10FFFF.
std::string utf8_of_point(unsigned point);

/// Windows-1252, of which Latin-1 is a part, as UTF-8. A byte that means nothing there becomes U+FFFD.
std::string utf8_of_latin(std::string_view text);

struct CsvOptions {
  bool header = true;       ///< the first row names the columns; otherwise they are "1", "2", ...
  char separator = ',';     ///< ',', ';', '|' or a tab
  std::string prefix = {};  ///< of the names "1", "2", ... without a header
  char comment = '\0';      ///< lines that begin with it are skipped; NUL: none
  char line_end = '\n';     ///< '\r': a file of bare carriage returns
  bool latin = false;       ///< Windows-1252 (of which Latin-1 is a part) in place of UTF-8
  std::size_t longest_row = std::size_t{1} << 20;  ///< bytes; a longer row is refused before memory is asked for
};

/// A table that is in memory already, such as a member of an archive.
struct CsvText {
  std::string name;   ///< what stands for the file in messages
  std::string bytes;  ///< plain text
};

class CsvReader {
 public:
  /// Opens the file and reads the header. Throws StorageError (not readable) or DataError (empty, not a table, column
  /// names twice, a .gz that is none).
  explicit CsvReader(const std::string& path, const CsvOptions& options = {});
  explicit CsvReader(CsvText text, const CsvOptions& options = {});
  ~CsvReader();
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  const std::vector<std::string>& columns() const;
  bool has(std::string_view column) const;
  /// Place of a column; DataError that lists the names there are.
  std::size_t column(std::string_view name) const;

  /// Goes to the next row; false at the end of the file. Throws DataError, also when a .gz is cut or damaged.
  bool next();
  std::size_t row() const;  ///< the line where the current row begins

  /// A field of the current row, unquoted; valid until next().
  std::string_view text(std::size_t column) const;
  bool empty(std::size_t column) const;  ///< nothing or blanks
  /// The field as a number, blanks around it and a leading '+' allowed. "nan" and "inf" are numbers.
  double number(std::size_t column) const;
  /// The same, but NaN for an empty field, "NA" and "NaN".
  double number_or_nan(std::size_t column) const;
  std::int64_t whole(std::size_t column) const;

  /// Throws DataError "FILE:row N, column 'x': SENTENCE" for the current row.
  [[noreturn]] void refuse(std::size_t column, const std::string& sentence) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  bool first_row_waits_ = false;  // without a header the first row was read to count the columns
};

}  // namespace fovea::datasets::text

#pragma once
/// A text file line by line, and the fields of a line. Internal to datasets/particles/text.

#include <cstdint>
#include <string>
#include <string_view>

#include "fovea/datasets/text/byte_stream.hpp"

namespace fovea::datasets::particles::text {

/// Lines end in LF or CRLF; the file may be packed by gzip. Nothing is read ahead but a buffer.
class LineReader {
 public:
  /// Throws StorageError, DataError as ByteStream does.
  explicit LineReader(const std::string& path) : path_(path), stream_(path) {}

  /// Goes to the next line; false at the end. Throws DataError for a line of more than 16 MiB, a NUL byte, and a packed
  /// file that was cut.
  bool next();
  std::string_view line() const { return line_; }  ///< without its end; valid until next()
  std::int64_t number() const { return number_; }  ///< counted from 1
  const std::string& path() const { return path_; }

  /// Throws DataError "FILE:line N: SENTENCE" for the current line.
  [[noreturn]] void refuse(const std::string& sentence) const;

 private:
  bool refill();

  std::string path_;
  fovea::datasets::text::ByteStream stream_;
  std::string buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::string_view line_;
  std::int64_t number_ = 0;
};

/// The fields of the reader's current line, between blanks and tabs.
class LineFields {
 public:
  /// whose: what a message speaks of: "particle 5".
  LineFields(const LineReader& reader, std::string whose) : reader_(reader), rest_(reader.line()), whose_(whose) {}

  /// The next field; empty at the end of the line.
  std::string_view word();
  /// The next field, which must be there.
  std::string_view word(std::string_view name);
  /// A finite number. Throws DataError with the line, the name and what stands there.
  double number(std::string_view name);
  std::int64_t whole(std::string_view name);
  /// Passes over so many fields, which must be there.
  void skip(std::int64_t count, std::string_view name);
  std::string_view rest() const { return rest_; }

 private:
  const LineReader& reader_;
  std::string_view rest_;
  std::string whose_;
};

/// The text as a finite or any number; false if it is none. A plus sign may stand before it.
bool is_number(std::string_view text, double& value);
bool is_whole(std::string_view text, std::int64_t& value);

}  // namespace fovea::datasets::particles::text

#pragma once
/// A plain or packed file as a stream of text: UTF-16, which spreadsheets write as "Unicode text", becomes UTF-8.
/// Internal to datasets/.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "fovea/datasets/text/byte_stream.hpp"

namespace fovea::datasets::text {

/// Appends a code point below 0x110000.
void append_utf8(unsigned point, std::string& text);

enum class ByteOrder { little, big };

/// The order of the bytes of UTF-16 text that begins with a byte order mark; nothing for any other text.
std::optional<ByteOrder> utf16_order(std::string_view beginning);

/// UTF-16 as UTF-8, piece by piece; a piece may end inside a letter.
class Utf16Decoder {
 public:
  explicit Utf16Decoder(ByteOrder order) : order_(order) {}
  /// Appends the letters of the bytes; false where they hold half of a surrogate pair.
  bool add(std::string_view bytes, std::string& text);
  /// Whether a letter has begun that more bytes must end.
  bool inside_letter() const { return half_.has_value() || high_ != 0; }

 private:
  ByteOrder order_;
  std::optional<unsigned char> half_;  // of two bytes the first
  unsigned high_ = 0;                  // the first of a surrogate pair
};

/// Text of UTF-8 or Latin-1 passes as it is, with its byte order mark; that of UTF-16 is taken away.
class TextStream {
 public:
  /// As those of ByteStream.
  explicit TextStream(const std::string& path) : path_(path), bytes_(path) {}
  TextStream(const std::string& name, std::string bytes) : path_(name), bytes_(name, std::move(bytes)) {}

  /// At most `size` bytes; 0 at the end. Throws what ByteStream::read() throws, and DataError for damaged UTF-16.
  std::size_t read(char* target, std::size_t size);

 private:
  void look_at_mark();
  void decode_more();
  std::size_t take(char* target, std::size_t size);

  std::string path_;
  ByteStream bytes_;
  bool begun_ = false;
  std::optional<Utf16Decoder> decoder_;
  std::string ready_;  // read ahead, or decoded
  std::size_t taken_ = 0;
};

}  // namespace fovea::datasets::text

#include "fovea/datasets/network/documents/letters.hpp"

#include <iconv.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/network/documents/parts.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/datasets/text/names.hpp"
#include "fovea/datasets/text/text_stream.hpp"

namespace fovea::datasets::network {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

/// UTF-16 of markup, also without a byte order mark: every document begins with '<'.
std::optional<text::ByteOrder> markup_order(std::string_view bytes) {
  if (const auto order = text::utf16_order(bytes)) return order;
  if (bytes.starts_with("<\0"sv)) return text::ByteOrder::little;
  if (bytes.starts_with("\0<"sv)) return text::ByteOrder::big;
  return std::nullopt;
}

std::string decoded(const std::string& path, std::string_view bytes, text::ByteOrder order) {
  if (text::utf16_order(bytes)) bytes.remove_prefix(2);
  text::Utf16Decoder decoder(order);
  std::string text;
  if (!decoder.add(bytes, text) || decoder.inside_letter())
    refuse_line(path, line_of(text, text.size()),
                "is damaged UTF-16 text, half of a letter is missing; save it as UTF-8.");
  return text;
}

/// Where the name of the encoding stands in <?xml version="1.0" encoding="...">.
std::string_view declared_encoding(std::string_view xml) {
  if (!xml.starts_with("<?xml")) return {};
  const std::string_view declaration = xml.substr(0, std::min(xml.find("?>"), xml.size()));
  std::size_t at = declaration.find("encoding");
  if (at == std::string_view::npos) return {};
  at = declaration.find_first_of("\"'", at);
  if (at == std::string_view::npos) return {};
  const std::size_t end = declaration.find(declaration[at], at + 1);
  return end == std::string_view::npos ? std::string_view{} : xml.substr(at + 1, end - at - 1);
}

/// Encodings that the XML reader tells from the bytes themselves.
bool is_unicode(std::string_view name) {
  const std::string lower = datasets::text::lower_case(name);
  return lower.empty() || lower.starts_with("utf-") || lower.starts_with("utf8") || lower.starts_with("ucs-") ||
         lower == "us-ascii" || lower == "ascii";
}

/// By iconv, which knows the encodings of the C library.
std::string converted(const std::string& path, std::string bytes, const std::string& encoding) {
  struct Converter {
    iconv_t handle;
    ~Converter() {
      if (handle != iconv_t(-1)) iconv_close(handle);
    }
  } converter{iconv_open("UTF-8", encoding.c_str())};
  if (converter.handle == iconv_t(-1))
    refuse_line(
        path, 1,
        concat("says that its encoding is '", text::shown_text(encoding), "', which is not known; save it as UTF-8."));
  std::string text;
  std::vector<char> room(std::size_t{1} << 16);
  char* in = bytes.data();
  std::size_t left = bytes.size();
  while (left > 0) {
    char* out = room.data();
    std::size_t free = room.size();
    const std::size_t done = iconv(converter.handle, &in, &left, &out, &free);
    text.append(room.data(), out - room.data());
    if (done == std::size_t(-1) && errno != E2BIG)
      refuse_line(path, line_of(text, text.size()),
                  concat("holds bytes that are no letters in the encoding '", text::shown_text(encoding),
                         "', which the file says it has; save it as UTF-8."));
  }
  return text;
}

}  // namespace

std::string beginning_as_utf8(std::string bytes) {
  if (const auto order = markup_order(bytes)) {
    if (text::utf16_order(bytes)) bytes.erase(0, 2);
    std::string text;
    text::Utf16Decoder(*order).add(bytes, text);
    return text;
  }
  if (bytes.starts_with(kUtf8Mark)) bytes.erase(0, kUtf8Mark.size());
  return bytes;
}

std::string xml_as_utf8(const std::string& path, std::string bytes) {
  if (const auto order = markup_order(bytes)) return decoded(path, bytes, *order);
  const std::string_view name = declared_encoding(bytes);
  if (is_unicode(name)) return bytes;
  const std::size_t place = name.data() - bytes.data();
  const std::string encoding(name);
  std::string text = converted(path, std::move(bytes), encoding);
  text.replace(place, encoding.size(), std::string(encoding.size(), ' '));
  return text;
}

std::string text_as_utf8(const std::string& path, std::string bytes) {
  if (const auto order = text::utf16_order(bytes)) return decoded(path, bytes, *order);
  if (bytes.starts_with(kUtf8Mark)) bytes.erase(0, kUtf8Mark.size());
  return bytes;
}

}  // namespace fovea::datasets::network

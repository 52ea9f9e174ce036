#pragma once
/// Letters of graph documents in any encoding as UTF-8. Internal to datasets/network/documents.

#include <string>
#include <string_view>

namespace fovea::datasets::network {

/// The beginning of a file without marks of the encoding; UTF-16 as UTF-8, as far as the bytes go.
std::string beginning_as_utf8(std::string bytes);

/// An XML document as UTF-8: UTF-16 by its byte order mark or its first signs, other encodings by the name that the
/// document gives (iconv), which then is blanked out; every letter keeps its line. Throws DataError for an encoding
/// that is not known, and for bytes that are no letters in it.
std::string xml_as_utf8(const std::string& path, std::string bytes);

/// UTF-16 with a byte order mark as UTF-8; other text as it is, without the mark of UTF-8. Throws DataError.
std::string text_as_utf8(const std::string& path, std::string bytes);

}  // namespace fovea::datasets::network

#pragma once
/// Text and bytes packed by gzip, for whoever writes it; byte_stream.hpp reads it.

#include <string>
#include <string_view>

namespace fovea::datasets::text {

/// The same bytes for the same text, whenever they are made.
std::string gzipped(std::string_view text);

/// The same for bytes of any size, ten times as fast and less tightly; without gzip's frame in that of zlib.
std::string fast_packed(std::string_view bytes, bool gzip = true);

}  // namespace fovea::datasets::text

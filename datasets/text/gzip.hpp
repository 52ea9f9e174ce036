#pragma once
/// Text packed by gzip, for whoever writes it; byte_stream.hpp reads it.

#include <string>
#include <string_view>

namespace fovea::datasets::text {

/// The same bytes for the same text, whenever they are made.
std::string gzipped(std::string_view text);

}  // namespace fovea::datasets::text

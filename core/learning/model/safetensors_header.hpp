#pragma once
/// The header of a SafeTensors file. Internal to core/learning.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fovea::learning {

struct TensorHeader {
  std::string name, dtype;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0, end = 0;  ///< bytes after the header
};

struct SafetensorsHeader {
  std::vector<TensorHeader> tensors;  ///< in the order of the text
  std::map<std::string, std::string> metadata;
};

/// Reads the JSON text without building a tree, so nesting and size of a hostile one cost nothing. Throws DataError.
SafetensorsHeader parse_safetensors_header(std::string_view text, const std::string& path);

/// A name from a file for a message: one line, not long.
std::string shown_name(const std::string& name);

/// The JSON text, without padding. Throws ArgumentError for text that is no UTF-8.
std::string safetensors_header_text(const SafetensorsHeader& header);

}  // namespace fovea::learning

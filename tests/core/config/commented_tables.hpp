#pragma once
/// The lists of tables that `fovea init` writes as comments.

#include <string>

namespace fovea::support {

/// The text with every commented table (from a line "# [[" to the next line that is no comment) uncommented.
inline std::string with_tables_uncommented(const std::string& toml) {
  std::string uncommented;
  std::size_t at = 0;
  bool example = false;
  while (at < toml.size()) {
    const std::size_t end = toml.find('\n', at);
    const std::string line = toml.substr(at, end - at);
    example = line.starts_with("# [[") || (example && line.starts_with("# "));
    uncommented += (example ? line.substr(2) : line) + "\n";
    at = end + 1;
  }
  return uncommented;
}

}  // namespace fovea::support

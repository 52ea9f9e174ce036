#pragma once
/// Data that examines the program but is not part of it: in the folder FOVEA_SHARED, or in shared/ beside the project.

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "fovea/tests/support/catch.hpp"

namespace fovea::support {

/// The file or folder data/NAME of the shared data, or nothing (said as a warning) where it is not there.
inline std::optional<std::filesystem::path> shared_data(const std::string& name) {
  const char* given = std::getenv("FOVEA_SHARED");
  const auto beside = std::filesystem::path(__FILE__).parent_path() / "../../../shared";
  const auto path = (given != nullptr ? std::filesystem::path(given) : beside) / "data" / name;
  if (std::filesystem::exists(path)) return path;
  WARN("not tested: " << name << " is not here; set FOVEA_SHARED to the folder that holds data/" << name);
  return std::nullopt;
}

}  // namespace fovea::support

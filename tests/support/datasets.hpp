#pragma once
/// What the tests of data sets and result files share.

#include <limits>
#include <string>
#include <string_view>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/dataset.hpp"
#include "fovea/core/data/dataset_bytes.hpp"

namespace fovea::support {

inline constexpr double kInf = std::numeric_limits<double>::infinity();

/// The bytes that the content hash is taken of.
inline std::string canonical(const Dataset& data) {
  std::string bytes;
  write_canonical(data, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

}  // namespace fovea::support

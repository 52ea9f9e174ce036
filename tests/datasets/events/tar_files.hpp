#pragma once
/// Archives as tar makes them (POSIX.1-1988, ustar), in memory.

#include <string>
#include <vector>

namespace fovea::support {

struct TarMember {
  std::string name, bytes;
  char type = '0';  ///< '0' a file, '2' a link (to bytes), '5' a folder
};

std::string tar_packed(const std::vector<TarMember>& members);

}  // namespace fovea::support

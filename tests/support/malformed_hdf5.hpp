#pragma once
/// Damaged copies of an HDF5 file: some crash the HDF5 library or never let it end, all the others are plain damage.

#include <string>
#include <vector>

namespace fovea::support {

struct MalformedFile {
  std::string what;
  std::string bytes;
};

/// Some thirty copies of a file that write_dataset() made. The global heap, which keeps texts of variable length, is
/// the part of such a file that no checksum protects: most damage is there.
std::vector<MalformedFile> malformed_copies(const std::string& bytes);

}  // namespace fovea::support

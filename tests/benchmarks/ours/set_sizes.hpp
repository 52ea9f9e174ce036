#pragma once
/// The sizes of packed sets: as in a file of jets, or drawn from a distribution like it.

#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::bench {

/// Sizes of sets that are taken from a file.
struct SizeRange {
  Index smallest = 16, largest = 128;
};

/// Offsets (count + 1) of packed sets. path: an HDF5 file with the data set `offsets`, or a text of sizes with white
/// space between them; sets of sizes beyond the range are left out, and the file is read again from its start if it has
/// too few. Empty: sizes of 16 to 128 are drawn.
std::vector<Index> set_offsets(Index count, const std::string& path, const SizeRange& range = {});

}  // namespace fovea::bench

#pragma once
/// The sizes of packed sets: as in a file of jets, or drawn from a distribution like it.

#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::bench {

inline constexpr Index kSmallestSet = 16, kLargestSet = 128;

/// Offsets (count + 1) of sets with 16 to 128 members. path: an HDF5 file with the data set `offsets`, whose sets of
/// other sizes are left out, again from its start if it has too few; empty: sizes are drawn.
std::vector<Index> set_offsets(Index count, const std::string& path);

}  // namespace fovea::bench

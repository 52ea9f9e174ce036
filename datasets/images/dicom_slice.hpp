#pragma once
/// A slice of DICOM as the child that decodes it sends it. Internal to datasets/images.

#include "fovea/datasets/images/stored.hpp"

namespace fovea::datasets::images {

struct SliceHead {
  std::array<Index, 2> size{};
  std::array<double, 2> spacing{1, 1};
  std::array<double, 3> position{};
  std::array<double, 6> turn{};  ///< of the rows, of the columns
  double thickness = 1, slope = 1, intercept = 0;
  VoxelType type = VoxelType::int16;
  bool inverted = false, placed = true;
  std::array<char, 80> series{};
  std::uint64_t bytes = 0;  ///< of the voxels that follow; 0: no slice, such as a directory of the medium
};

/// A head and the voxels of each file. Throws DataError. Runs in a child: GDCM may crash.
std::string decoded_slices(const std::vector<std::string>& files);

}  // namespace fovea::datasets::images

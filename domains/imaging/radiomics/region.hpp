#pragma once
/// The part of an image that features describe, as the image biomarker standardisation initiative (IBSI; Zwanenburg et
/// al. 2020, Radiology 295:328; reference manual arXiv 1612.07003, CC BY 4.0) has it: two masks, intensities, levels.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::imaging::radiomics {

/// The range and the step of the intensities of the intensity-volume histogram (manual, 3.5).
struct VolumeHistogram {
  std::vector<double> values;  ///< of the voxels, in their order
  double low = 0, high = 0, step = 1;
};

/// A box around the masks. A layer of voxels on each side lies outside of both masks, so a neighbour of a voxel in a
/// mask is always there.
struct Region {
  std::array<Index, 3> size{0, 0, 0};      ///< x (fastest), y, z
  std::array<double, 3> spacing{1, 1, 1};  ///< mm
  std::vector<double> intensity;           ///< of every voxel of the box; NaN outside of the image
  std::vector<std::uint8_t> shape;         ///< the morphological mask
  std::vector<Index> voxels;               ///< the intensity mask, ascending; a part of shape
  std::vector<std::int32_t> level;         ///< of every voxel: 1 .. levels in the intensity mask, 0 elsewhere
  std::int32_t levels = 0;                 ///< N_g
  VolumeHistogram volume;

  std::array<Index, 3> steps() const { return {1, size[0], size[0] * size[1]}; }  ///< from a voxel to the next
  Index at(Index x, Index y, Index z) const { return (z * size[1] + y) * size[0] + x; }
  std::array<Index, 3> place(Index voxel) const {
    return {voxel % size[0], voxel / size[0] % size[1], voxel / (size[0] * size[1])};
  }
  double& value(Index voxel) { return intensity[static_cast<std::size_t>(voxel)]; }
  /// The intensities in the intensity mask, in the order of voxels.
  std::vector<double> values() const;
};

/// The first and last voxel of a mask along each axis; last is -1 for an empty mask.
struct Extent {
  std::array<Index, 3> first, last{-1, -1, -1};
};
Extent extent_of(const std::array<Index, 3>& size, const std::vector<std::uint8_t>& inside);

/// The box of an image around its mask, with the space that a sphere of 1 cm3 needs. Both masks are the mask, which
/// has a voxel at least; levels are not set. intensity and inside: [z, y, x], of the size of the image.
Region region_around(const std::array<Index, 3>& size, const std::array<double, 3>& spacing,
                     const std::vector<double>& intensity, const std::vector<std::uint8_t>& inside);

/// Levels are the intensities themselves. Throws DataError, which starts with `path`, unless they are whole numbers
/// from 1 to kMostLevels.
void set_levels_as_they_are(Region& region, const std::string& path);
inline constexpr std::int32_t kMostLevels = 4096;

/// (3 / (4 pi))^(1/3) cm: the radius of 1 cm3.
inline constexpr double kSphereRadius = 6.203504908994;  // mm

}  // namespace fovea::imaging::radiomics

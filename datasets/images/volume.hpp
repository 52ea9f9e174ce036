#pragma once
/// What an image of one to three dimensions is: a grid of voxels and where it lies in the world.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "fovea/core/base/matrix.hpp"

namespace fovea::datasets::images {

/// How the numbers are stored.
enum class VoxelType : std::uint8_t { uint8, int8, uint16, int16, uint32, int32, uint64, int64, float32, float64 };
std::size_t bytes_of(VoxelType type);
const char* name_of(VoxelType type);  ///< "uint8", "float32"
inline bool is_real(VoxelType type) { return type >= VoxelType::float32; }

/// Numbers of voxels along x (fastest), y and z; a picture has z = 1.
struct Grid {
  std::array<Index, 3> size{1, 1, 1};      ///< x, y, z
  std::array<double, 3> spacing{1, 1, 1};  ///< mm; where a format has none, 1
  Eigen::Matrix4d to_world =
      Eigen::Matrix4d::Identity();  ///< voxel (x, y, z, 1) -> mm, to the right, front and top (RAS)

  Index voxels() const { return size[0] * size[1] * size[2]; }
  Index at(Index x, Index y, Index z) const { return (z * size[1] + y) * size[0] + x; }
};

struct Stored;  ///< the file's own bytes, by which write_like() writes it again (stored.hpp)

struct Volume {
  std::string path;  ///< where it was read, for messages
  Grid grid;
  VoxelType stored = VoxelType::float32;
  std::vector<double> values;      ///< [z, y, x], scaled (scl_slope, RescaleSlope); NaN where a real number is missing
  std::vector<std::string> notes;  ///< what was passed over or assumed
  std::shared_ptr<const Stored> file;  ///< none: it was made
};

}  // namespace fovea::datasets::images

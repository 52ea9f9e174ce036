#include "fovea/domains/imaging/radiomics/region.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea::imaging::radiomics {

Extent extent_of(const std::array<Index, 3>& size, const std::vector<std::uint8_t>& inside) {
  Extent extent{size, {-1, -1, -1}};
  std::size_t voxel = 0;
  for (Index z = 0; z < size[2]; ++z)
    for (Index y = 0; y < size[1]; ++y)
      for (Index x = 0; x < size[0]; ++x, ++voxel) {
        if (inside[voxel] == 0) continue;
        const std::array<Index, 3> at{x, y, z};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          extent.first[axis] = std::min(extent.first[axis], at[axis]);
          extent.last[axis] = std::max(extent.last[axis], at[axis]);
        }
      }
  return extent;
}

Region region_around(const std::array<Index, 3>& size, const std::array<double, 3>& spacing,
                     const std::vector<double>& intensity, const std::vector<std::uint8_t>& inside) {
  const Extent extent = extent_of(size, inside);
  require(extent.last[0] >= 0, "region: the mask has no voxel; it must have at least one.");
  Region region;
  region.spacing = spacing;
  std::array<Index, 3> start;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Index sphere = static_cast<Index>(kSphereRadius / spacing[axis]);
    const Index before = std::max<Index>(1, std::min(sphere, extent.first[axis]));
    const Index after = std::max<Index>(1, std::min(sphere, size[axis] - 1 - extent.last[axis]));
    start[axis] = extent.first[axis] - before;
    region.size[axis] = extent.last[axis] + after + 1 - start[axis];
  }
  const std::size_t voxels = static_cast<std::size_t>(region.size[0] * region.size[1] * region.size[2]);
  region.intensity.assign(voxels, kNan);
  region.shape.assign(voxels, 0);
  region.level.assign(voxels, 0);
  for (Index voxel = 0; voxel < static_cast<Index>(voxels); ++voxel) {
    const auto [x, y, z] = region.place(voxel);
    const std::array<Index, 3> at{x + start[0], y + start[1], z + start[2]};
    if (std::min({at[0], at[1], at[2]}) < 0 || at[0] >= size[0] || at[1] >= size[1] || at[2] >= size[2]) continue;
    const std::size_t from = static_cast<std::size_t>((at[2] * size[1] + at[1]) * size[0] + at[0]);
    region.value(voxel) = intensity[from];
    if (inside[from] == 0) continue;
    region.shape[static_cast<std::size_t>(voxel)] = 1;
    region.voxels.push_back(voxel);
  }
  return region;
}

void set_levels_as_they_are(Region& region, const std::string& path) {
  for (const Index voxel : region.voxels) {
    const double value = region.value(voxel);
    if (!(value >= 1 && value <= kMostLevels && value == std::floor(value)))
      throw DataError(concat(path, ": an intensity in the mask is ", exact_text(value),
                             ", but intensities that are used as levels must be whole numbers from 1 to ", kMostLevels,
                             "; name settings with bins of a width or a number (levels.kind)."));
    region.level[static_cast<std::size_t>(voxel)] = static_cast<std::int32_t>(value);
    region.levels = std::max(region.levels, static_cast<std::int32_t>(value));
  }
}

std::vector<double> Region::values() const {
  std::vector<double> values;
  values.reserve(voxels.size());
  for (const Index voxel : voxels) values.push_back(intensity[static_cast<std::size_t>(voxel)]);
  return values;
}

}  // namespace fovea::imaging::radiomics

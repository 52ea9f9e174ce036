#include "fovea/datasets/images/meeting.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/images/stored.hpp"

namespace fovea::datasets::images {

namespace {

using Point = Eigen::Vector3d;

/// The eight outer voxels' centres.
Point corner_voxel(const Grid& grid, int corner) {
  Point at;
  for (int axis = 0; axis < 3; ++axis)
    at[axis] = (corner >> axis & 1) != 0 ? static_cast<double>(grid.size[axis] - 1) : 0;
  return at;
}

Point moved(const Eigen::Matrix4d& map, const Point& at) {
  return map.topLeftCorner<3, 3>() * at + map.topRightCorner<3, 1>();
}

/// From voxels of the first to those of the second.
Eigen::Matrix4d voxel_map(const Grid& first, const Grid& second) { return second.to_world.inverse() * first.to_world; }

/// In mm.
double corners_apart(const Grid& first, const Grid& second) {
  double most = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Point there = moved(second.to_world, corner_voxel(second, corner));
    most = std::max(most, (moved(first.to_world, corner_voxel(first, corner)) - there).norm());
  }
  return most;
}

double smallest_spacing(const Grid& grid) { return *std::min_element(grid.spacing.begin(), grid.spacing.end()); }

/// Whether each voxel of the first is one of the second, and the other way about.
bool holds_same_voxels(const Grid& first, const Grid& second) {
  if (first.voxels() != second.voxels()) return false;
  const Eigen::Matrix4d map = voxel_map(first, second);
  const double longest = static_cast<double>(*std::max_element(first.size.begin(), first.size.end()));
  const Eigen::Vector3d steps = map.topLeftCorner<3, 3>().cwiseAbs().rowwise().sum();  // 1: a voxel is as wide
  if ((steps.array() - 1).abs().maxCoeff() * longest > kSameGrid) return false;
  for (int corner = 0; corner < 8; ++corner) {
    const Point at = moved(map, corner_voxel(first, corner));
    for (int axis = 0; axis < 3; ++axis) {
      const double last = static_cast<double>(second.size[axis] - 1);
      if (std::min(std::abs(at[axis]), std::abs(at[axis] - last)) > kSameGrid) return false;
    }
  }
  return true;
}

/// NaN outside of the field.
double trilinear(const Volume& volume, const Point& at) {
  constexpr double kOnVoxel = 1e-4;  // affines of float32 are less exact: 1e-7 of some hundred mm
  std::array<Index, 3> low{};
  std::array<double, 3> share{};  // of the next voxel
  for (int axis = 0; axis < 3; ++axis) {
    const double last = static_cast<double>(volume.grid.size[axis] - 1);
    if (!(at[axis] >= -.5 && at[axis] <= last + .5)) return kNan;
    double place = std::clamp(at[axis], 0., last);
    if (std::abs(place - std::round(place)) < kOnVoxel) place = std::round(place);
    low[axis] = static_cast<Index>(place);
    share[axis] = place - static_cast<double>(low[axis]);
  }
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2;
    const double weight = (x ? share[0] : 1 - share[0]) * (y ? share[1] : 1 - share[1]) * (z ? share[2] : 1 - share[2]);
    if (weight > 0) sum += weight * volume.values[volume.grid.at(low[0] + x, low[1] + y, low[2] + z)];
  }
  return sum;
}

/// Calls with each voxel's number and its place in the second grid, slice by slice on all threads.
template <typename Action>
void for_each_voxel(const Grid& grid, const Eigen::Matrix4d& map, const Action& action) {
  for_each_task(grid.size[2], true, [&](Index z) {
    for (Index y = 0; y < grid.size[1]; ++y)
      for (Index x = 0; x < grid.size[0]; ++x)
        action(grid.at(x, y, z), moved(map, Eigen::Array<Index, 3, 1>(x, y, z).cast<double>()));
  });
}

std::string size_text(const Grid& grid) { return concat(grid.size[0], " x ", grid.size[1], " x ", grid.size[2]); }
std::string spacing_text(const Grid& grid) {
  return concat(plain_text(grid.spacing[0], 4), " x ", plain_text(grid.spacing[1], 4), " x ",
                plain_text(grid.spacing[2], 4), " mm");
}

[[noreturn]] void refuse_mask(const Volume& image, const Mask& mask) {
  constexpr const char* kWay = "; a mask marks the voxels of its image. Resample it onto the image's grid.";
  const Grid &there = image.grid, &here = mask.grid;
  if (there.size != here.size)
    refuse_image(mask.path, "has ", size_text(here), " voxels, and ", image.path, " has ", size_text(there), kWay);
  for (int axis = 0; axis < 3; ++axis)
    if (std::abs(there.spacing[axis] - here.spacing[axis]) * static_cast<double>(there.size[axis]) >
        kSameGrid * there.spacing[axis])
      refuse_image(mask.path, "its voxels are ", spacing_text(here), ", and those of ", image.path, " ",
                   spacing_text(there), kWay);
  refuse_image(mask.path, "lies elsewhere than ", image.path, ", up to ", plain_text(corners_apart(there, here)),
               " mm apart at the same corner", kWay);
}

}  // namespace

bool same_grid(const Grid& first, const Grid& second) {
  return first.size == second.size && corners_apart(first, second) <= kSameGrid * smallest_spacing(first);
}

std::string axes_of(const Grid& grid) {
  constexpr std::array kTowards{"RL", "AP", "SI"};
  Eigen::Matrix3d turn = grid.to_world.topLeftCorner<3, 3>().colwise().normalized();
  std::string axes = "???";
  for (int k = 0; k < 3; ++k) {  // the clearest first, each direction once
    Index row = 0, column = 0;
    turn.cwiseAbs().maxCoeff(&row, &column);
    axes[column] = kTowards[row][turn(row, column) < 0 ? 1 : 0];
    turn.row(row).setZero();
    turn.col(column).setZero();
  }
  return axes;
}

Volume brought_onto(const Volume& first, Volume second) {
  if (same_grid(first.grid, second.grid)) return second;
  Volume brought{second.path, first.grid, VoxelType::float64, {}, second.notes, nullptr};
  brought.values.resize(first.values.size());
  for_each_voxel(first.grid, voxel_map(first.grid, second.grid),
                 [&](Index voxel, const Point& at) { brought.values[voxel] = trilinear(second, at); });
  Index covered = 0;
  for (const double value : brought.values) covered += !std::isnan(value);
  if (covered == 0)
    refuse_image(second.path, "does not overlap with ", first.path,
                 " in the world; give an image of the same place, or correct its affine.");
  const double share = static_cast<double>(covered) / static_cast<double>(brought.values.size());
  brought.notes.push_back(concat(second.path, " of ", size_text(second.grid), " voxels of ", spacing_text(second.grid),
                                 " was resampled trilinearly onto the grid of ", first.path, ", of which it covers ",
                                 plain_text(100 * share), " %."));
  return brought;
}

Mask mask_on(const Volume& image, Mask mask) {
  if (same_grid(image.grid, mask.grid)) return mask;
  if (!holds_same_voxels(image.grid, mask.grid)) refuse_mask(image, mask);
  Mask brought{mask.path, image.grid, std::vector<std::uint8_t>(mask.inside.size()), mask.count, mask.notes};
  for_each_voxel(image.grid, voxel_map(image.grid, mask.grid), [&](Index voxel, const Point& at) {
    brought.inside[voxel] = mask.inside[mask.grid.at(std::lround(at[0]), std::lround(at[1]), std::lround(at[2]))];
  });
  brought.notes.push_back(concat("The axes of ", mask.path, " run ", axes_of(mask.grid), " and those of ", image.path,
                                 " ", axes_of(image.grid), "; its voxels were brought into the image's order."));
  return brought;
}

}  // namespace fovea::datasets::images

#include "fovea/datasets/images/meeting.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/base/words.hpp"

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
  for (int corner = 0; corner < 8; ++corner)
    most = std::max(most, (moved(first.to_world, corner_voxel(first, corner)) -
                           moved(second.to_world, corner_voxel(second, corner)))
                              .norm());
  return most;
}

double smallest_spacing(const Grid& grid) { return *std::min_element(grid.spacing.begin(), grid.spacing.end()); }

/// Whether each voxel of the first is one of the second, and the other way about.
bool holds_same_voxels(const Grid& first, const Grid& second) {
  if (first.voxels() != second.voxels()) return false;
  const Eigen::Matrix4d map = voxel_map(first, second);
  for (int corner = 0; corner < 8; ++corner) {  // a box onto a box: the corners decide
    const Point at = moved(map, corner_voxel(first, corner));
    for (int axis = 0; axis < 3; ++axis) {
      const double last = static_cast<double>(second.size[axis] - 1);
      if (std::min(std::abs(at[axis]), std::abs(at[axis] - last)) > kSameGrid) return false;
    }
  }
  return true;
}

/// Where a sample lies along an axis: between `low` and the next voxel, by this share.
struct Between {
  Index low = 0;
  double share = 0;
};

/// False outside of the field.
bool place_between(double at, Index size, Between& between) {
  constexpr double kOnVoxel = 1e-4;  // affines of float32 are less exact: 1e-7 of some hundred mm
  if (!(at >= -.5 && at <= static_cast<double>(size) - .5)) return false;
  at = std::clamp(at, 0., static_cast<double>(size - 1));
  if (std::abs(at - std::round(at)) < kOnVoxel) at = std::round(at);
  between.low = static_cast<Index>(at);
  between.share = at - static_cast<double>(between.low);
  return true;
}

double trilinear(const Volume& volume, const Point& at) {
  std::array<Between, 3> place;
  for (int axis = 0; axis < 3; ++axis)
    if (!place_between(at[axis], volume.grid.size[axis], place[axis])) return kNan;
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    double weight = 1;
    std::array<Index, 3> voxel{};
    for (int axis = 0; axis < 3; ++axis) {
      const int step = corner >> axis & 1;
      voxel[axis] = place[axis].low + step;
      weight *= step != 0 ? place[axis].share : 1 - place[axis].share;
    }
    if (weight > 0) sum += weight * volume.values[volume.grid.at(voxel[0], voxel[1], voxel[2])];
  }
  return sum;
}

/// Calls with each voxel's number and its place in the second grid, slice by slice on all threads.
template <typename Action>
void for_each_voxel(const Grid& grid, const Eigen::Matrix4d& map, const Action& action) {
  for_each_task(grid.size[2], true, [&](Index z) {
    for (Index y = 0; y < grid.size[1]; ++y)
      for (Index x = 0; x < grid.size[0]; ++x)
        action(grid.at(x, y, z),
               moved(map, Point(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z))));
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
    throw DataError(
        concat(mask.path, ": has ", size_text(here), " voxels, and ", image.path, " has ", size_text(there), kWay));
  for (int axis = 0; axis < 3; ++axis)
    if (std::abs(there.spacing[axis] - here.spacing[axis]) * static_cast<double>(there.size[axis]) >
        kSameGrid * there.spacing[axis])
      throw DataError(concat(mask.path, ": its voxels are ", spacing_text(here), ", and those of ", image.path, " ",
                             spacing_text(there), kWay));
  throw DataError(concat(mask.path, ": lies elsewhere than ", image.path, ", up to ",
                         plain_text(corners_apart(there, here)), " mm apart at the same corner", kWay));
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
  const auto covered =
      std::count_if(brought.values.begin(), brought.values.end(), [](double value) { return !std::isnan(value); });
  if (covered == 0)
    throw DataError(concat(second.path, ": does not overlap with ", first.path,
                           " in the world; give an image of the same place, or correct its affine."));
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

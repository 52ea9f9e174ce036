#include "fovea/datasets/images/meeting.hpp"

#include <Eigen/Geometry>

#include "fovea/tests/support/test.hpp"

namespace fovea::datasets::images {

namespace {

/// A plane of the world, which trilinear resampling gives back exactly.
double plane_at(const Eigen::Vector4d& world) { return 3 + world[0] - 2 * world[1] + .5 * world[2]; }

Volume plane_volume(const std::string& path, std::array<Index, 3> size, std::array<double, 3> spacing,
                    const Eigen::Matrix3d& turn, const Eigen::Vector3d& origin) {
  Volume volume;
  volume.path = path;
  volume.grid.size = size;
  volume.grid.spacing = spacing;
  volume.grid.to_world.topLeftCorner<3, 3>() = turn * Eigen::Vector3d(spacing[0], spacing[1], spacing[2]).asDiagonal();
  volume.grid.to_world.topRightCorner<3, 1>() = origin;
  for (Index z = 0; z < size[2]; ++z)
    for (Index y = 0; y < size[1]; ++y)
      for (Index x = 0; x < size[0]; ++x)
        volume.values.push_back(
            plane_at(volume.grid.to_world * Eigen::Array<Index, 4, 1>(x, y, z, 1).cast<double>().matrix()));
  return volume;
}

const Eigen::Matrix3d kUpright = Eigen::Matrix3d::Identity();
Volume upright_volume() { return plane_volume("ct.nii", {5, 4, 3}, {1, 2, 3}, kUpright, {-4, 2, 1}); }

/// The same voxels with x and y running backwards and z first.
Volume reordered_volume() {
  Volume volume = upright_volume();
  const Grid before = volume.grid;
  Eigen::Matrix4d order;  // the voxel before of (x, y, z): (4 - y, 3 - z, x)
  order << 0, -1, 0, 4, 0, 0, -1, 3, 1, 0, 0, 0, 0, 0, 0, 1;
  volume.grid.size = {3, 5, 4};
  volume.grid.spacing = {3, 1, 2};
  volume.grid.to_world = before.to_world * order;
  std::vector<double> values(60);
  for (Index z = 0; z < 4; ++z)
    for (Index y = 0; y < 5; ++y)
      for (Index x = 0; x < 3; ++x) values[volume.grid.at(x, y, z)] = volume.values[before.at(4 - y, 3 - z, x)];
  volume.values = values;
  volume.path = "t1.nii";
  return volume;
}

/// All but the first voxel, which makes it differ from its mirror images.
Mask most_of(const Volume& volume, std::size_t without) {
  Volume marked = volume;
  for (std::size_t k = 0; k < marked.values.size(); ++k) marked.values[k] = k == without ? 0 : 1;
  return mask_of(marked);
}

}  // namespace

TEST_CASE("images of mirrored and exchanged axes meet voxel by voxel", "[images]") {
  const Volume image = upright_volume(), other = reordered_volume();
  CHECK(axes_of(image.grid) == "RAS");
  CHECK(axes_of(other.grid) == "SLP");
  const Volume brought = brought_onto(image, other);
  CHECK(brought.values == image.values);
  CHECK(brought.notes ==
        std::vector<std::string>{"t1.nii of 3 x 5 x 4 voxels of 3 x 1 x 2 mm was resampled trilinearly "
                                 "onto the grid of ct.nii, of which it covers 100 %."});
  const std::size_t without = static_cast<std::size_t>(other.grid.at(2, 1, 0));  // (3, 3, 2) of the image
  const Mask mask = mask_on(image, most_of(other, without));
  CHECK(mask.count == 59);
  CHECK(mask.inside[image.grid.at(3, 3, 2)] == 0);
  CHECK(std::count(mask.inside.begin(), mask.inside.end(), 1) == 59);
  CHECK(mask.notes == std::vector<std::string>{"The axes of t1.nii run SLP and those of ct.nii RAS; its voxels were "
                                               "brought into the image's order."});
}

TEST_CASE("an image on another grid is resampled trilinearly in the world", "[images]") {
  const Volume image = upright_volume();
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(.3, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  const Volume large = plane_volume("t1.nii", {40, 40, 40}, {.7, .8, .9}, turn, {-18, -12, -15});
  const Volume brought = brought_onto(image, large);
  for (std::size_t k = 0; k < image.values.size(); ++k) CHECK(std::abs(brought.values[k] - image.values[k]) < 1e-9);
  Volume small = plane_volume("t1.nii", {2, 4, 3}, {1, 2, 3}, kUpright, {-4.25, 2, 1});
  small.values[0] = kNan;
  const Volume part = brought_onto(image, small);  // its field ends at x = -2.75
  CHECK(std::isnan(part.values[0]));
  CHECK(std::isnan(part.values[2]));
  CHECK(part.values[5] == Approx(image.values[5]));
  CHECK(part.notes.back().find("of which it covers 38.3 %.") != std::string::npos);  // 23 of 60
}

TEST_CASE("the same grid is used as it is, and images that do not overlap are refused", "[images]") {
  const Volume image = upright_volume();
  Volume other = image;
  other.path = "t1.nii";
  other.grid.to_world(0, 3) += .009;  // of 1 mm
  const Volume brought = brought_onto(image, other);
  CHECK(brought.values == image.values);
  CHECK(brought.notes.empty());
  CHECK(mask_on(image, most_of(other, 0)).notes.empty());
  other.grid.to_world(0, 3) += 20;
  CHECK(refusal_of<DataError>([&] { brought_onto(image, other); }) ==
        "t1.nii: does not overlap with ct.nii in the world; give an image of the same place, or correct its affine.");
}

TEST_CASE("a mask of other size, spacing or place is refused", "[images]") {
  const Volume image = upright_volume();
  const auto refused = [&](std::array<Index, 3> size, std::array<double, 3> spacing, const Eigen::Vector3d& origin) {
    const Volume other = plane_volume("m.nii", size, spacing, kUpright, origin);
    return refusal_of<DataError>([&] { mask_on(image, most_of(other, 0)); });
  };
  const std::string way = "; a mask marks the voxels of its image. Resample it onto the image's grid.";
  CHECK(refused({5, 4, 2}, {1, 2, 3}, {-4, 2, 1}) == "m.nii: has 5 x 4 x 2 voxels, and ct.nii has 5 x 4 x 3" + way);
  CHECK(refused({5, 4, 3}, {1, 2, 3.5}, {-4, 2, 1}) ==
        "m.nii: its voxels are 1 x 2 x 3.5 mm, and those of ct.nii 1 x 2 x 3 mm" + way);
  CHECK(refused({4, 5, 3}, {4. / 3, 1.5, 3}, {-4, 2, 1}) ==  // as many voxels in the same box
        "m.nii: has 4 x 5 x 3 voxels, and ct.nii has 5 x 4 x 3" + way);
  CHECK(refused({5, 4, 3}, {1, 2, 3}, {-3, 2, 1}) ==
        "m.nii: lies elsewhere than ct.nii, up to 1 mm apart at the same corner" + way);
}

}  // namespace fovea::datasets::images

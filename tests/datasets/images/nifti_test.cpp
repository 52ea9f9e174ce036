#include <cstdint>

#include "fovea/datasets/images/images.hpp"
#include "fovea/tests/datasets/images/made_nifti.hpp"
#include "fovea/tests/support/mutation.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::datasets::images {

using support::MadeNifti;

namespace {

Volume volume_of(const TemporaryFolder& folder, const std::string& bytes, const std::string& name = "a.nii") {
  support::put_file(folder.file(name), bytes);
  return read_volume(folder.file(name));
}

/// Numbers of the type with its ends, read in both byte orders.
template <typename Number>
void check_nifti_type(std::int16_t code, VoxelType type) {
  using Limits = std::numeric_limits<Number>;
  const std::vector<Number> voxels{Number(0), Number(1), Number(100), Limits::lowest(), Limits::max(), Number(7)};
  for (const bool big : {false, true}) {
    const TemporaryFolder folder;
    MadeNifti made;
    made.big_endian = big;
    made.datatype = code;
    made.dim = {2, 3, 2, 0, 0, 0, 0, 0};
    const Volume volume = volume_of(folder, made.file(voxels));
    CHECK(volume.stored == type);
    CHECK(volume.grid.size == std::array<Index, 3>{3, 2, 1});
    for (std::size_t k = 0; k < voxels.size(); ++k) CHECK(volume.values[k] == static_cast<double>(voxels[k]));
    std::vector<double> values = volume.values;
    values[1] = 42;
    CHECK(write_like(volume, values, folder.file("b.nii")).changed == 1);
    std::vector<Number> changed = voxels;
    changed[1] = Number(42);
    CHECK(support::text_of(folder.file("b.nii")) == made.file(changed));
  }
}

}  // namespace

TEST_CASE("NIfTI: every scalar type in both byte orders is read, and written with one changed voxel", "[images]") {
  check_nifti_type<std::uint8_t>(2, VoxelType::uint8);
  check_nifti_type<std::int16_t>(4, VoxelType::int16);
  check_nifti_type<std::int32_t>(8, VoxelType::int32);
  check_nifti_type<float>(16, VoxelType::float32);
  check_nifti_type<double>(64, VoxelType::float64);
  check_nifti_type<std::int8_t>(256, VoxelType::int8);
  check_nifti_type<std::uint16_t>(512, VoxelType::uint16);
  check_nifti_type<std::uint32_t>(768, VoxelType::uint32);
  check_nifti_type<std::int64_t>(1024, VoxelType::int64);
  check_nifti_type<std::uint64_t>(1280, VoxelType::uint64);
}

TEST_CASE("NIfTI: a slope scales, one of 0 or NaN does not", "[images]") {
  const TemporaryFolder folder;
  MadeNifti made;
  made.slope = .5F;
  made.intercept = -1024;
  CHECK(volume_of(folder, made.counting()).values[3] == -1022.5);
  for (const float none : {0.F, std::numeric_limits<float>::quiet_NaN()}) {
    made.slope = none;
    CHECK(volume_of(folder, made.counting()).values[3] == 3);
  }
}

TEST_CASE("NIfTI: the affine is that of sform, of qform without it, of the spacing without both", "[images]") {
  const TemporaryFolder folder;
  MadeNifti made;
  made.qform = 1;
  made.quaternion = {0, 0, 1, 5, 6, 7};  // half a turn about z
  made.pixdim[0] = -1;                   // z mirrored
  Eigen::Matrix4d affine = Eigen::Matrix4d::Identity();
  affine.diagonal() << 1, 2, 3, 1;
  const Eigen::Matrix4d unplaced = affine;
  affine.col(3) << -10, -20, -30, 1;
  Volume volume = volume_of(folder, made.counting());
  CHECK(volume.grid.to_world == affine);
  REQUIRE(volume.notes.size() == 1);
  CHECK(volume.notes[0] == "The sform and the qform place the image differently; the sform is taken.");
  made.sform = 0;
  affine.diagonal() << -1, -2, -3, 1;
  affine.col(3) << 5, 6, 7, 1;
  volume = volume_of(folder, made.counting());
  CHECK((volume.grid.to_world - affine).norm() < 1e-12);
  CHECK(volume.notes.empty());
  made.qform = 0;
  volume = volume_of(folder, made.counting());
  CHECK(volume.grid.to_world == unplaced);
  CHECK(volume.notes.size() == 1);
  made.sform = 1;
  made.units = 3;
  volume = volume_of(folder, made.counting());
  CHECK(volume.grid.to_world(2, 3) == Approx(-.03));
  CHECK(volume.grid.spacing[2] == Approx(.003));
  CHECK(volume.notes == std::vector<std::string>{"The header states lengths of 0.001 mm, which became mm."});
  made.units = 2;
  made.pixdim[3] = 2.5F;
  volume = volume_of(folder, made.counting());
  CHECK(volume.grid.spacing[2] == 3);
  CHECK(volume.notes == std::vector<std::string>{"The header states a spacing of 2.5 mm along z and an affine of 3 mm; "
                                                 "the affine is taken."});
  made.pixdim[3] = 3;
  made.srow[10] = 0;
  volume = volume_of(folder, made.counting());
  CHECK(volume.grid.to_world == unplaced);
  CHECK(volume.notes ==
        std::vector<std::string>{"A form of the header is no affine of three axes and is passed over.",
                                 "The header states no orientation; the axes are taken to point to the right, front "
                                 "and top."});
}

TEST_CASE("NIfTI: what is written keeps every unchanged byte, packed or not", "[images]") {
  const TemporaryFolder folder;
  MadeNifti made;
  made.dim = {4, 3, 2, 2, 1, 1, 1, 1};
  made.first_voxel = 368;
  made.extension = std::string("\1\0\0\0\x10\0\0\0\6\0\0\0 a note ", 20);
  made.tail = "what follows";
  made.slope = .1F;
  made.intercept = 3;
  const std::string bytes = made.counting(),
                    gzip = support::gzip_packed(bytes.substr(0, 200)) + support::gzip_packed(bytes.substr(200));
  const Volume volume = volume_of(folder, gzip, "a.nii.gz");  // of two members
  CHECK(write_like(volume, volume.values, folder.file("same.nii")).changed == 0);
  CHECK(support::text_of(folder.file("same.nii")) == bytes);
  write_like(volume, volume.values, folder.file("same.nii.gz"));
  CHECK(read_volume(folder.file("same.nii.gz")).values == volume.values);
  std::vector<double> values = volume.values;
  values[0] = 3.26;  // 2.6 of .1: stored as 3
  values[5] = 1e9;
  values[6] = -1e9;
  const Written written = write_like(volume, values, folder.file("b.nii"));
  CHECK(written.changed == 3);
  CHECK(written.clipped == 2);
  std::vector<std::int16_t> expected{3, 1, 2, 3, 4, 32767, -32768, 7, 8, 9, 10, 11};
  CHECK(support::text_of(folder.file("b.nii")) == made.file(expected));
  CHECK(folder.names() == std::set<std::string>{"a.nii.gz", "b.nii", "same.nii", "same.nii.gz"});
  values[2] = kNan;
  CHECK(support::refusal_in<ArgumentError>(folder, [&] { write_like(volume, values, folder.file("c.nii")); }) ==
        "write_like: voxel (2, 0, 0) is NaN, which int16 cannot hold; give a number for each voxel.");
  CHECK(support::refusal_in<ArgumentError>(folder, [&] { check_output(volume, folder.file("c.mha")); }) ==
        "c.mha: an image of a.nii.gz is written as .nii or .nii.gz; name such a file.");
  CHECK_FALSE(folder.names().contains("c.nii"));
}

TEST_CASE("NIfTI: a float file with scaling and NaN keeps both", "[images]") {
  const TemporaryFolder folder;
  MadeNifti made;
  made.datatype = 16;
  made.slope = 2;
  made.intercept = 1;
  std::vector<float> voxels{0, .1F, std::nanf("7"), 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const Volume volume = volume_of(folder, made.file(voxels));
  CHECK(std::isnan(volume.values[2]));
  std::vector<double> values = volume.values;
  values[3] = 8;
  CHECK(write_like(volume, values, folder.file("b.nii")).changed == 1);
  voxels[3] = 3.5F;
  CHECK(support::text_of(folder.file("b.nii")) == made.file(voxels));
}

TEST_CASE("NIfTI: a new file of float32 lies where its grid lies", "[images]") {
  const TemporaryFolder folder;
  const Volume volume = volume_of(folder, MadeNifti().counting());
  std::vector<double> values(12, .25);
  values[7] = kNan;
  for (const char* name : {"w.nii", "w.nii.gz"}) {
    write_float32(volume.grid, values, folder.file(name));
    const Volume read = read_volume(folder.file(name));
    CHECK(read.stored == VoxelType::float32);
    CHECK(read.grid.to_world == volume.grid.to_world);
    CHECK(read.grid.spacing == volume.grid.spacing);
    CHECK(read.values[6] == .25);
    CHECK(std::isnan(read.values[7]));
    CHECK(read.notes.empty());
  }
}

TEST_CASE("a mask is what is not 0, or has the label", "[images]") {
  const TemporaryFolder folder;
  std::vector<std::int16_t> voxels(12, 0);
  voxels[3] = 1;
  voxels[4] = voxels[5] = 2;
  support::put_file(folder.file("m.nii"), MadeNifti().file(voxels));
  const Mask all = read_mask(folder.file("m.nii")), twos = read_mask(folder.file("m.nii"), 2);
  CHECK(all.count == 3);
  CHECK(all.notes == std::vector<std::string>{"The mask has the labels 1, 2; all are taken, and --label chooses one."});
  CHECK(twos.count == 2);
  CHECK(twos.inside[5] == 1);
  CHECK(twos.inside[3] == 0);
  CHECK(twos.notes.empty());
  CHECK(support::refusal_in<DataError>(folder, [&] { read_mask(folder.file("m.nii"), 7); }) ==
        "m.nii: no voxel has the label 7; its labels are 1, 2.");
}

}  // namespace fovea::datasets::images

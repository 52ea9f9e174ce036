#include "fovea/domains/imaging/inspect/inspection.hpp"

#include "fovea/datasets/images/images.hpp"
#include "fovea/datasets/recognise/file_kind.hpp"
#include "fovea/tests/datasets/images/made_nifti.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::imaging::inspect {

using datasets::images::read_volume;

TEST_CASE("inspect: grid, axes, quantiles and notes of an image, and the values of a mask", "[images]") {
  const TemporaryFolder folder;
  support::MadeNifti made;
  made.datatype = 16;
  std::vector<float> voxels{0, .5F, 1, 2, 3, 4, 5, 6, 7, 8, 9, std::nanf("")};
  support::put_file(folder.file("a.nii"), made.file(voxels));
  support::put_file(folder.file("m.nii"), support::MadeNifti().counting());
  CHECK(datasets::kind_of_file(folder.file("a.nii")) == datasets::FileKind::image);
  CHECK(inspection().knows(folder.file("a.nii")));
  Arguments arguments;
  arguments.positional = {folder.file("a.nii")};
  const auto said = [&](Form form) { return inspection().text(arguments, form, 80); };
  CHECK(
      said(Form::text) ==
      folder.file("a.nii") +
          "\n  grid       3 x 2 x 2 voxels of 1 x 2 x 3 mm, in all 3 x 4 x 6 mm\n"
          "  axes       RAS: x to the right, y to the front, z to the top; the first voxel at −10, −20, −30 mm to the "
          "right, front and top\n"
          "  numbers    float32, 1 voxel not finite\n"
          "  quantiles  0 %: 0, 1 %: 0.05, 25 %: 1.5, 50 %: 4, 75 %: 6.5, 99 %: 8.9, 100 %: 9\n");
  CHECK(said(Form::json).find("\"quantiles\": {\"0\": 0, \"0.01\": 0.05,") != std::string::npos);
  arguments.positional = {folder.file("m.nii")};
  CHECK(said(Form::text).find("  values     0 (1), 1 (1), 2 (1), 3 (1)") != std::string::npos);
}

TEST_CASE("inspect: the middle slices are turned as people look at them, whatever the order of voxels", "[images]") {
  const TemporaryFolder folder;
  support::MadeNifti made;
  made.pixdim = {1, 1, 1, 2, 0, 0, 0, 0};
  made.srow = {-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 2, 0};  // LPS, as seen from the feet
  support::put_file(folder.file("a.nii"), made.counting());
  const MiddleSlices upright = middle_slices(read_volume(folder.file("a.nii")));
  CHECK(upright.width == 8);  // 3 of the slice, 3 from the front, 2 from the left
  CHECK(upright.grey.size() == 32);
  const auto pixel = [&](const MiddleSlices& slices, std::size_t row, std::size_t column) {
    return slices.grey[row * 8 + column];
  };
  CHECK(pixel(upright, 0, 0) < pixel(upright, 0, 2));  // voxels 6, 8 of the upper slice
  CHECK(pixel(upright, 0, 2) < pixel(upright, 1, 0));
  CHECK(pixel(upright, 0, 3) > pixel(upright, 3, 3));  // the upper slice is above
  CHECK(pixel(upright, 2, 0) == 0);
  made.srow = {1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 2, 0};
  std::vector<std::int16_t> mirrored{2, 1, 0, 5, 4, 3, 8, 7, 6, 11, 10, 9};
  support::put_file(folder.file("b.nii"), made.file(mirrored));
  CHECK(middle_slices(read_volume(folder.file("b.nii"))).grey == upright.grey);
  datasets::images::write_picture(upright.width, upright.grey, folder.file("p.png"));
  const auto read = read_volume(folder.file("p.png"));
  CHECK(read.grid.size == std::array<Index, 3>{8, 4, 1});
  CHECK(std::equal(read.values.begin(), read.values.end(), upright.grey.begin()));
  const MiddleSlices again = middle_slices(read);
  CHECK(again.width == 8);
}

}  // namespace fovea::imaging::inspect

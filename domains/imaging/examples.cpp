#include "fovea/domains/imaging/examples.hpp"

#include <cmath>

#include "fovea/datasets/images/images.hpp"
#include "fovea/domains/imaging/inpaint/simulated.hpp"

namespace fovea::imaging {

namespace {

/// A CT in whole HU with a piece of metal, its mask, another image of the same organs, and a contour around the middle.
void write_images(const std::string& folder) {
  constexpr double kMetal = 3000, kContour = 18;  // HU, mm
  const inpaint::Picture made = inpaint::simulated_picture({.size = {48, 48, 8}}, Random(1).stream("example"));
  datasets::images::Grid grid;
  grid.size = made.size, grid.spacing = {2, 2, 4};
  for (Index k = 0; k < 3; ++k) grid.to_world(k, k) = grid.spacing[static_cast<std::size_t>(k)];
  std::vector<double> ct, t1, metal, contour;
  for (Index z = 0; z < grid.size[2]; ++z)
    for (Index y = 0; y < grid.size[1]; ++y)
      for (Index x = 0; x < grid.size[0]; ++x) {
        const bool in_metal = x >= 20 && x < 28 && y >= 12 && y < 20 && (z == 3 || z == 4);
        const std::size_t at = made.at(x, y, z);
        metal.push_back(in_metal ? 1 : 0);
        ct.push_back(in_metal ? kMetal : std::round(200 * made.values[at] - 100));
        t1.push_back(std::round(1000 * made.contexts[0][at]));
        contour.push_back(std::hypot(2 * (x - 24), 2 * (y - 28), 4 * (z - 4)) < kContour ? 1 : 0);
      }
  const auto write = [&](const char* name, const std::vector<double>& values) {
    write_float32(grid, values, Place(folder + '/' + name));
  };
  write("ct.nii.gz", ct), write("t1.nii.gz", t1), write("metal.nii.gz", metal), write("gtv.nii.gz", contour);
}

}  // namespace

std::vector<Example> examples() {
  return {{"ct.nii.gz",
           "a simulated CT with metal in two slices, another image of the same organs, and a contour",
           {"gtv.nii.gz", "metal.nii.gz", "t1.nii.gz"},
           {"fovea inpaint ct.nii.gz --holes metal.nii.gz --context t1.nii.gz -o filled.nii.gz",
            "fovea radiomics ct.nii.gz --mask gtv.nii.gz --settings ibsi_c -o features.csv"},
           &write_images}};
}

}  // namespace fovea::imaging

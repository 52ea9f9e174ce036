// Axes of netCDF-4 variables, as dimension scales say them.

#include <hdf5.h>
#include <hdf5_hl.h>

#include "fovea/datasets/rasters/stacks.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::datasets::rasters {

namespace {

struct MadeAxis {
  std::string name;
  std::vector<double> places;
  std::string attribute, text;
};

void write_text(hid_t object, const std::string& name, const std::string& text) {
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, text.size());
  const hid_t attribute = H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, type, text.data());
  H5Aclose(attribute), H5Sclose(space), H5Tclose(type);
}

/// A file with the band B02 along three axes, as netCDF-4 writes it.
std::string made_file(const support::TemporaryFolder& folder, const std::vector<MadeAxis>& axes) {
  const std::string path = folder.file("made.nc");
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  std::vector<hsize_t> shape;
  for (const MadeAxis& axis : axes) shape.push_back(axis.places.size());
  const std::vector<float> numbers(shape[0] * shape[1] * shape[2], 0.1F);
  H5LTmake_dataset_float(file, "B02", 3, shape.data(), numbers.data());
  const hid_t band = H5Dopen2(file, "B02", H5P_DEFAULT);
  for (unsigned k = 0; k < 3; ++k) {
    H5LTmake_dataset_double(file, axes[k].name.c_str(), 1, &shape[k], axes[k].places.data());
    const hid_t scale = H5Dopen2(file, axes[k].name.c_str(), H5P_DEFAULT);
    if (!axes[k].attribute.empty()) write_text(scale, axes[k].attribute, axes[k].text);
    H5DSset_scale(scale, axes[k].name.c_str());
    H5DSattach_scale(band, scale, k);
    H5Dclose(scale);
  }
  H5Dclose(band), H5Fclose(file);
  return path;
}

const MadeAxis kDates{"t", {0, 5}, "units", "days since 2018-01-01"};
const MadeAxis kRows{"y", {15, 5}, "", ""}, kColumns{"x", {5, 15}, "", ""};

std::string refusal(const std::vector<MadeAxis>& axes) {
  const support::TemporaryFolder folder;
  const std::string path = made_file(folder, axes);
  const std::string message = support::refusal_of<DataError>([&] { Stack{Place(path)}; });
  return message.substr(std::min(message.size(), path.size()));
}

}  // namespace

TEST_CASE("axes of netCDF are those that its dimension scales name", "[rasters]") {
  const support::TemporaryFolder folder;
  const MadeAxis other{"a", {3, 4}, "units", "days since 2000-01-01"}, latitudes{"lat", {1, 2}, "", ""},
      longitudes{"lon", {1, 2}, "", ""};
  const Stack stack{Place(made_file(folder, {other, latitudes, longitudes}))};
  CHECK(stack.r10m().times == std::vector<double>{(10957.0 + 3) * 86400, (10957.0 + 4) * 86400});
  CHECK(stack.r10m().y == "/lat");
  CHECK(stack.r10m().x == "/lon");
}

TEST_CASE("bands along other axes than time, y, x are refused", "[rasters]") {
  CHECK(refusal({kDates, kColumns, kRows}) ==
        ": /B02 lies along /t, /x, /y, but must along time, y, x; transpose it, with xarray by .transpose('t', 'y', "
        "'x').");
  CHECK(refusal({kRows, kColumns, kDates}).starts_with(": /B02 lies along /y, /x, /t, but must along time, y, x"));
  const MadeAxis north{"rows", {1, 2}, "axis", "Y"}, east{"columns", {1, 2}, "axis", "X"};
  CHECK(refusal({kDates, east, north}).starts_with(": /B02 lies along /t, /columns, /rows, but must"));
  CHECK(refusal({kDates, north, east}).empty());
}

}  // namespace fovea::datasets::rasters

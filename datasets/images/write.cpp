#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/datasets/images/images.hpp"
#include "fovea/datasets/images/stored.hpp"
#include "fovea/datasets/text/gzip.hpp"

namespace fovea::datasets::images {

namespace {

bool is_nifti_name(const std::string& path) { return path.ends_with(".nii") || path.ends_with(".nii.gz"); }

void write_nifti(const std::string& head, const std::string& voxels, const std::string& tail, const Place& place) {
  const std::string bytes = head + voxels + tail;
  write_file(place, place.path().ends_with(".gz") ? text::fast_packed(bytes) : bytes);
}

/// The voxels with those encoded whose number is another.
std::string changed_voxels(const Coding& coding, const std::string& stored, const Grid& grid,
                           std::span<const double> values, Written& written) {
  std::string voxels = stored;
  std::vector<double> before(std::min<std::size_t>(values.size(), 65536));
  for (std::size_t first = 0; first < values.size(); first += before.size()) {
    const std::size_t count = std::min(before.size(), values.size() - first);
    decode(coding, stored, first, count, before.data());
    for (std::size_t k = 0; k < count; ++k) {
      const double value = values[first + k];
      if (value == before[k] || (std::isnan(value) && std::isnan(before[k]))) continue;
      require(is_real(coding.type) || !std::isnan(value),
              "write_like: ", voxel_text(grid, static_cast<Index>(first + k)), " is NaN, which ", name_of(coding.type),
              " cannot hold; give a number for each voxel.");
      ++written.changed;
      written.clipped += encode(coding, value, first + k, voxels);
    }
  }
  return voxels;
}

/// As NIfTI stores it without scaling: in the source's type, or where that cannot hold the scaled numbers, as of DICOM,
/// in the smallest that can.
Coding coding_for(const Volume& source) {
  const auto [lowest, highest] = std::minmax_element(source.values.begin(), source.values.end());
  const Coding& own = source.file->coding;
  const bool whole =
      !is_real(own.type) && own.slope == std::round(own.slope) && own.intercept == std::round(own.intercept);
  for (const VoxelType type : {own.type, VoxelType::int16, VoxelType::int32})
    if (const Coding coding = coding_of(type); whole && coding.lowest <= *lowest && *highest <= coding.highest)
      return coding;
  return coding_of(own.type == VoxelType::float64 ? own.type : VoxelType::float32);
}

Written write_as_nifti(const Volume& source, std::span<const double> values, const Place& place) {
  const Coding coding = coding_for(source);
  std::string voxels(values.size() * bytes_of(coding.type), '\0');
  for (std::size_t k = 0; k < values.size(); ++k) encode(coding, source.values[k], k, voxels);
  Written written;
  voxels = changed_voxels(coding, voxels, source.grid, values, written);
  write_nifti(new_nifti_head(source.grid, coding), voxels, "", place);
  return written;
}

}  // namespace

void check_output(const Volume& source, const Place& place) {
  const bool nrrd = source.file && source.file->format == Format::nrrd,
             png = source.file && source.file->format == Format::png;
  const std::string own = nrrd ? ".nrrd" : png ? ".png" : "";
  require(is_nifti_name(place.path()) || (!own.empty() && place.path().ends_with(own)), place.path(), ": an image of ",
          source.path, " is written as ", own, own.empty() ? "" : ", ", ".nii or .nii.gz; name such a file.");
}

Written write_like(const Volume& source, std::span<const double> values, const Place& place) {
  check_output(source, place);
  require(source.file != nullptr && values.size() == source.values.size(), "write_like: there are ", values.size(),
          " values for ", source.values.size(), " voxels of a file; give one for each.");
  const Stored& file = *source.file;
  if (file.format != Format::nifti && is_nifti_name(place.path())) return write_as_nifti(source, values, place);
  Written written;
  const std::string voxels = changed_voxels(file.coding, file.voxels, source.grid, values, written);
  if (file.format == Format::nifti)
    write_nifti(file.head, voxels, file.tail, place);
  else if (file.format == Format::nrrd)
    write_file(place, file.head + (file.packed ? text::fast_packed(voxels) : voxels) + file.tail);
  else
    write_file(place, png_bytes(source.grid, file, voxels));
  return written;
}

void write_float32(const Grid& grid, std::span<const double> values, const Place& place) {
  require(is_nifti_name(place.path()), place.path(), ": is written as .nii or .nii.gz; name such a file.");
  require(static_cast<Index>(values.size()) == grid.voxels(), "write_float32: there are ", values.size(),
          " values for ", grid.voxels(), " voxels; give one for each.");
  const Coding coding = coding_of(VoxelType::float32);
  std::string voxels(values.size() * sizeof(float), '\0');
  for (std::size_t k = 0; k < values.size(); ++k) encode(coding, values[k], k, voxels);
  write_nifti(new_nifti_head(grid, coding), voxels, "", place);
}

void write_picture(Index width, std::span<const std::uint8_t> grey, const Place& place) {
  Grid grid;
  grid.size = {width, std::ssize(grey) / width, 1};
  Stored stored;
  stored.coding = coding_of(VoxelType::uint8);
  write_file(place, png_bytes(grid, stored, std::string(grey.begin(), grey.end())));
}

}  // namespace fovea::datasets::images

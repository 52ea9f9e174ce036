#include "fovea/datasets/images/images.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/images/stored.hpp"
#include "fovea/datasets/text/file_format.hpp"

namespace fovea::datasets::images {

namespace {

bool is_nifti_name(const std::string& path) { return path.ends_with(".nii") || path.ends_with(".nii.gz"); }

/// "voxel (3, 0, 7)": x, y, z from 0.
std::string voxel_text(const Grid& grid, Index at) {
  return concat("voxel (", at % grid.size[0], ", ", at / grid.size[0] % grid.size[1], ", ",
                at / grid.size[0] / grid.size[1], ")");
}

void write_nifti(const std::string& head, const std::string& voxels, const std::string& tail, const Place& place) {
  std::string bytes;
  bytes.reserve(head.size() + voxels.size() + tail.size());
  bytes.append(head).append(voxels).append(tail);
  write_file(place, place.path().ends_with(".gz") ? gzip_bytes(bytes) : bytes);
}

/// The voxels of the file with those encoded whose number is another.
std::string changed_voxels(const Stored& file, std::span<const double> values, Written& written) {
  std::string voxels = file.voxels;
  std::vector<double> before(std::min<std::size_t>(values.size(), 65536));
  for (std::size_t first = 0; first < values.size(); first += before.size()) {
    const std::size_t count = std::min(before.size(), values.size() - first);
    decode(file.coding, file.voxels, first, count, before.data());
    for (std::size_t k = 0; k < count; ++k) {
      const double value = values[first + k];
      if (value == before[k] || (std::isnan(value) && std::isnan(before[k]))) continue;
      ++written.changed;
      written.clipped += encode(file.coding, value, first + k, voxels);
    }
  }
  return voxels;
}

}  // namespace

Volume read_volume(const std::string& path) {
  const std::string front = text::front_of(path);
  if (is_nifti(front)) return read_nifti(path);
  const text::ByteStream refused(path);  // a file that is not there, or whose kind is known
  throw DataError(concat(path, ": is no image that is read here; give NIfTI-1 (.nii, .nii.gz)."));
}

Mask read_mask(const std::string& path, std::optional<double> label) { return mask_of(read_volume(path), label); }

Mask mask_of(const Volume& volume, std::optional<double> label) {
  constexpr std::size_t kMostLabels = 8;
  check_finite(volume);
  Mask mask{volume.path, volume.grid, std::vector<std::uint8_t>(volume.values.size()), 0, volume.notes};
  std::set<double> labels;
  for (std::size_t k = 0; k < volume.values.size(); ++k) {
    const double value = volume.values[k];
    if (value != 0 && labels.size() <= kMostLabels) labels.insert(value);
    mask.inside[k] = label ? value == *label : value != 0;
    mask.count += mask.inside[k];
  }
  std::string there;
  for (const double one : labels) there += (there.empty() ? "" : ", ") + plain_text(one, 6);
  if (labels.size() > kMostLabels) there += ", ...";
  if (mask.count == 0 && !labels.empty())
    throw DataError(concat(volume.path, ": no voxel has the label ", *label, "; its labels are ", there, "."));
  if (mask.count == 0) throw DataError(concat(volume.path, ": is an empty mask, all voxels are 0; mark the voxels."));
  if (!label && labels.size() > 1)
    mask.notes.push_back(
        concat("The mask has the labels ", there, "; all of them are taken, and --label chooses one."));
  return mask;
}

void check_finite(const Volume& volume, std::span<const std::uint8_t> passed_over) {
  for (std::size_t k = 0; k < volume.values.size(); ++k) {
    if (std::isfinite(volume.values[k]) || (!passed_over.empty() && passed_over[k] != 0)) continue;
    throw DataError(concat(volume.path, ": ", voxel_text(volume.grid, static_cast<Index>(k)), " is ",
                           plain_text(volume.values[k]), "; each voxel must be a finite number."));
  }
}

void check_output(const Volume& source, const Place& place) {
  const std::string path = place.path();
  require(is_nifti_name(path), path, ": an image of ", source.path,
          " is written as .nii or .nii.gz; name such a file.");
}

Written write_like(const Volume& source, std::span<const double> values, const Place& place) {
  check_output(source, place);
  require(source.file != nullptr && values.size() == source.values.size(), "write_like: there are ", values.size(),
          " values for ", source.values.size(), " voxels of a file; give one for each.");
  const Stored& file = *source.file;
  const auto missing = std::find_if(values.begin(), values.end(), [](double value) { return std::isnan(value); });
  require(is_real(file.coding.type) || missing == values.end(),
          "write_like: ", voxel_text(source.grid, missing - values.begin()), " is NaN, which ",
          name_of(file.coding.type), " cannot hold; give a number for each voxel.");
  Written written;
  write_nifti(file.head, changed_voxels(file, values, written), file.tail, place);
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

}  // namespace fovea::datasets::images

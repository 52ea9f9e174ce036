#include "fovea/datasets/images/images.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "fovea/core/base/words.hpp"
#include "fovea/datasets/images/stored.hpp"
#include "fovea/datasets/text/byte_stream.hpp"
#include "fovea/datasets/text/file_format.hpp"

namespace fovea::datasets::images {

bool is_image(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    int left = 100;
    for (std::filesystem::directory_iterator at(path, error), end; at != end && left-- > 0; at.increment(error))
      if (const std::string file = at->path().string(); is_dicom(text::front_of(file), file)) return true;
    return false;
  }
  const std::string front = text::front_of(path);
  return is_dicom(front, path) || is_nifti(front) || front.starts_with("NRRD000") || front.starts_with("\x89PNG");
}

Volume read_volume(const std::string& path) {
  const std::string front = text::front_of(path);
  if (is_dicom(front, path) || std::filesystem::is_directory(path)) return read_dicom(path);
  if (is_nifti(front)) return read_nifti(path);
  if (front.starts_with("NRRD000")) return read_nrrd(path);
  if (front.starts_with("\x89PNG")) return read_png(path);
  if (path.ends_with(".img")) refuse_image(path, "is half of a pair of .hdr and .img; write one .nii.gz of them.");
  const text::ByteStream refused(path);  // a file that is not there, or whose kind is known
  refuse_image(path, "is no image that is read here; give NIfTI-1 (.nii, .nii.gz), NRRD, DICOM or PNG.");
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
    refuse_image(volume.path, "no voxel has the label ", *label, "; its labels are ", there, ".");
  if (mask.count == 0) refuse_image(volume.path, "is an empty mask, all voxels are 0; mark the voxels.");
  if (!label && labels.size() > 1)
    mask.notes.push_back(concat("The mask has the labels ", there, "; all are taken, and --label chooses one."));
  return mask;
}

void check_finite(const Volume& volume, std::span<const std::uint8_t> passed_over) {
  for (std::size_t k = 0; k < volume.values.size(); ++k) {
    if (std::isfinite(volume.values[k]) || (!passed_over.empty() && passed_over[k] != 0)) continue;
    refuse_image(volume.path, voxel_text(volume.grid, static_cast<Index>(k)), " is ", plain_text(volume.values[k]),
                 "; each voxel must be a finite number.");
  }
}

}  // namespace fovea::datasets::images

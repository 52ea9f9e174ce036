#pragma once
/// Images and masks of files, read and written: NIfTI-1 (.nii, .nii.gz), NRRD with attached data, PNG in grey.
///
/// What cannot be read as it is meant is refused by a DataError with its name and a way out: NIfTI-2, pairs of .hdr and
/// .img, colours, complex numbers, several volumes in one file, voxels that the file does not hold, a spacing of 0.

#include <optional>
#include <span>

#include "fovea/core/base/place.hpp"
#include "fovea/datasets/images/volume.hpp"

namespace fovea::datasets::images {

/// Values are scaled as the header states it; a slope of 0 or NaN is no scaling. Throws DataError, StorageError.
Volume read_volume(const std::string& path);

/// Whether a file or folder begins as one; never throws.
bool is_image(const std::string& path);

struct Mask {
  std::string path;
  Grid grid;
  std::vector<std::uint8_t> inside;  ///< [z, y, x], 0 or 1
  Index count = 0;                   ///< of voxels inside, at least 1
  std::vector<std::string> notes;
};

/// The voxels of this label, or all but 0. Throws DataError for a mask that is not finite or has no such voxel.
Mask read_mask(const std::string& path, std::optional<double> label = {});

/// The voxels of a volume that is there.
Mask mask_of(const Volume& volume, std::optional<double> label = {});

/// Throws DataError if a voxel is infinite, or is NaN without being among those passed over (one for each voxel, or
/// none).
void check_finite(const Volume& volume, std::span<const std::uint8_t> passed_over = {});

struct Written {
  Index changed = 0;  ///< voxels with another number than the source
  Index clipped = 0;  ///< of them, to what the source's type can hold
};

/// Throws ArgumentError, before hours of work, for a name whose format write_like() would not write.
void check_output(const Volume& source, const Place& place);

/// The source's file with other values, one for each voxel: header, spacing, affine and every unchanged voxel are its
/// bytes, type and scaling are kept, a changed whole number is rounded. An image of another format becomes NIfTI where
/// the place is so named. The file is there as a whole or not at all.
/// Throws ArgumentError (a name of another format, NaN in whole numbers), StorageError.
Written write_like(const Volume& source, std::span<const double> values, const Place& place);

/// A new NIfTI file (.nii, .nii.gz) of float32 on this grid, for what is another quantity than the image.
void write_float32(const Grid& grid, std::span<const double> values, const Place& place);

/// A PNG of 8 bits in grey, rows from above.
void write_picture(Index width, std::span<const std::uint8_t> grey, const Place& place);

}  // namespace fovea::datasets::images

#pragma once
/// A file's own bytes around and in its voxels, and numbers made of them. Internal to datasets/images.

#include <span>
#include <string>
#include <string_view>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/images/volume.hpp"

namespace fovea::datasets::images {

enum class Format : std::uint8_t { nifti, nrrd, png, dicom };

/// DataError: the path and the parts.
template <typename... Parts>
[[noreturn]] void refuse_image(const std::string& path, const Parts&... parts) {
  throw DataError(concat(path, ": ", parts...));
}
/// The same for a file that was not meant to be so.
template <typename... Parts>
[[noreturn]] void refuse_damaged(const std::string& path, const Parts&... parts) {
  throw DamagedFile(concat(path, ": ", parts..., "; it was cut or is damaged, get it again."));
}

/// number = slope * stored + intercept
struct Coding {
  VoxelType type = VoxelType::float32;
  bool swapped = false;  ///< other byte order than this machine's
  double slope = 1, intercept = 0;
  double lowest = 0, highest = 0;  ///< that can be stored
};
Coding coding_of(VoxelType type);

struct Stored {
  Format format = Format::nifti;
  Coding coding;
  std::string head, voxels, tail;  ///< as they stand in the unpacked file
  bool packed = false;             ///< NRRD: the voxels, by gzip
};

/// The numbers of voxels [first, first + count).
void decode(const Coding& coding, std::string_view voxels, std::size_t first, std::size_t count, double* numbers);

/// Encodes voxel `at`: whole numbers are rounded. Returns whether the number was clipped to what can be stored.
bool encode(const Coding& coding, double number, std::size_t at, std::string& voxels);

/// A whole number of 1, 2, 4 or 8 bytes, or a float, at this place.
template <typename Number>
Number number_at(std::string_view bytes, std::size_t at, bool swapped);

/// The product of the sizes and of `each`. Throws DataError, before memory is taken: for a size below 1, for voxels
/// that a file of `held` bytes (packed: up to 1032 times as many) cannot hold, and for what does not fit into memory.
std::size_t checked_bytes(const std::string& path, const Grid& grid, std::size_t each, std::uint64_t held, bool packed);

/// All numbers of the voxels, and the volume that keeps the file. Throws DataError for fewer voxels than the grid has.
void take_stored(Volume& volume, Stored stored);

/// "voxel (3, 0, 7)": x, y, z from 0.
std::string voxel_text(const Grid& grid, Index at);

inline constexpr const char* kNoOrientation =
    "The header states no orientation; the axes are taken to point to the right, front and top.";
/// Whether an affine is finite and of three axes.
bool spans_space(const Eigen::Matrix4d& affine);
/// Throws DataError for a spacing or an affine that is no place in the world.
void check_grid(const std::string& path, const Grid& grid);

// The formats. A file's first bytes, unpacked.
bool is_nifti(std::string_view front);
Volume read_nifti(const std::string& path);
/// The header of a new file, little-endian, with its 4 bytes of no extension.
std::string new_nifti_head(const Grid& grid, const Coding& coding);

/// Whether a folder's file is one: its mark, or a name that ends in .dcm.
bool is_dicom(std::string_view front, const std::string& path);
/// A folder of slices, or one.
Volume read_dicom(const std::string& path);
/// A slice as the child that decodes it sends it.
struct SliceHead {
  std::array<Index, 2> size{};
  std::array<double, 2> spacing{1, 1};
  std::array<double, 3> position{};
  std::array<double, 6> turn{};  ///< of the rows, of the columns
  double thickness = 1, slope = 1, intercept = 0;
  VoxelType type = VoxelType::int16;
  bool placed = true;
  std::array<char, 80> series{};
  std::uint64_t bytes = 0;  ///< of the voxels that follow; 0: no slice, such as a directory of the medium
};

/// A head and the voxels of each file. Throws DataError. Runs in a child: GDCM may crash.
std::string decoded_slices(const std::vector<std::string>& files);

/// All bytes of a file. Throws DataError if gzip packed it.
std::string plain_file(const std::string& path);
Volume read_nrrd(const std::string& path);
Volume read_png(const std::string& path);
/// A file of the voxels with the chunks that are kept.
std::string png_bytes(const Grid& grid, const Stored& stored, const std::string& voxels);

}  // namespace fovea::datasets::images

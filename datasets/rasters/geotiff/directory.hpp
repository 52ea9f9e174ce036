#pragma once
/// The directory of a TIFF, looked at before libtiff sees the file. Internal to datasets/rasters.
///
/// Every number that says how much there is - entries, values, tiles, bytes of a tile - is compared with the length of
/// the file and with the others, so that libtiff is only given files whose sizes hold together.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fovea/core/base/place.hpp"
#include "fovea/datasets/rasters/raster.hpp"

namespace fovea::datasets::rasters::geotiff {

enum class Packing : std::uint16_t {
  none = 1,
  lzw = 5,
  deflate = 8,
  old_deflate = 32946,
  packbits = 32773,
  zstd = 50000
};

/// An open file that is read at places.
class TiffBytes {
 public:
  /// Throws StorageError (not readable), DataError (no regular file, no TIFF).
  explicit TiffBytes(const Place& place);
  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  bool is_big() const { return big_; }          ///< BigTIFF
  bool is_swapped() const { return swapped_; }  ///< the other order of bytes than this machine's
  std::uint64_t first_directory() const { return first_; }
  /// Throws StorageError if the disk refuses, DataError if the file is shorter.
  void read(std::uint64_t offset, std::uint64_t count, void* bytes) const;
  /// As many as there are.
  std::uint64_t read_some(std::uint64_t offset, std::uint64_t count, void* bytes) const;
  std::uint64_t number(std::uint64_t offset, unsigned bytes) const;  ///< 1, 2, 4 or 8 bytes
  [[noreturn]] void damaged(const std::string& what) const;
  [[noreturn]] void refuse(const std::string& sentence) const;

 private:
  Place place_;
  std::string path_;
  Descriptor file_;
  std::uint64_t size_ = 0, first_ = 0;
  bool big_ = false, swapped_ = false;
};

struct TiffTag {
  std::uint16_t type = 0;
  std::uint64_t count = 0, offset = 0;  ///< of its values in the file
};

struct TiffDirectory {
  std::uint64_t offset = 0, next = 0;
  std::map<std::uint16_t, TiffTag> tags;
};

/// The entries of a directory; the values of each lie within the file.
TiffDirectory read_directory(const TiffBytes& file, std::uint64_t offset);

/// The values of a tag, none if it is not there; DataError if they are of another kind.
std::vector<std::uint64_t> wholes_of(const TiffBytes& file, const TiffDirectory& directory, std::uint16_t tag);
std::vector<double> reals_of(const TiffBytes& file, const TiffDirectory& directory, std::uint16_t tag);
std::string text_of(const TiffBytes& file, const TiffDirectory& directory, std::uint16_t tag);

/// How the pixels lie in the file: in tiles or strips ("chunks"), numbered as TIFF does.
struct TiffLayout {
  std::uint64_t directory = 0;
  Packing packing = Packing::none;
  std::uint64_t across = 0, down = 0;         ///< chunks
  std::vector<std::uint64_t> offsets, sizes;  ///< of the chunks; size 0: not there, all missing
  std::uint64_t samples = 1;                  ///< numbers of a pixel that lie together
  std::uint64_t row_bytes = 0;                ///< unpacked, of a row of a chunk
  bool in_bits = false;                       ///< of one band; each becomes a byte, which row_bytes counts
  std::uint64_t mask = 0;                     ///< the directory whose pixels say which of these are shown; 0: none

  std::uint64_t stored_row_bytes() const { return in_bits ? (row_bytes + 7) / 8 : row_bytes; }
};

/// The first directory of full resolution. Throws DataError for everything that is not read, with the way out.
TiffLayout read_layout(const TiffBytes& file, RasterFacts& facts);
/// That of a mask.
TiffLayout read_layout(const TiffBytes& file, std::uint64_t mask, RasterFacts& facts);

}  // namespace fovea::datasets::rasters::geotiff

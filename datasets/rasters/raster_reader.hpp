#pragma once
/// Windows of a GeoTIFF of any size, whoever wrote it.
///
/// Read are strips and tiles, pixel by pixel or band by band, whole numbers of 8, 16 and 32 bits and reals of 32 and
/// 64, packed by nothing, LZW, DEFLATE, PackBits or ZSTD with predictors 1 to 3, either order of bytes, BigTIFF. The
/// first directory of full resolution counts; overviews and masks are passed over and noted. Kept in memory are the
/// tiles used last.

#include <memory>
#include <span>
#include <string>

#include "fovea/core/base/place.hpp"
#include "fovea/datasets/rasters/raster.hpp"

namespace fovea::datasets::rasters {

/// Whether numbers come as they are stored, or as they are meant: scaled, and NaN where there is no data (the no-data
/// number of the file, NaN, an infinite number, a tile that was never written).
enum class Reading { stored, meant };

/// One thread at a time may use it; several may read the same file.
class RasterReader {
 public:
  /// Opens the file and compares all that its directory claims with its length. cache: bytes of unpacked tiles that are
  /// kept. Throws StorageError (not readable), DataError in one line with the way out for all that is not read:
  /// damaged, truncated, lying or looping directories, complex numbers, palettes, other packings.
  explicit RasterReader(const Place& place, std::size_t cache = std::size_t{64} << 20);
  ~RasterReader();
  RasterReader(RasterReader&&) noexcept;
  RasterReader& operator=(RasterReader&&) noexcept;

  const std::string& path() const;
  const RasterFacts& facts() const;

  /// The pixels of a window within the raster, band after band (in this order; from 0), row after row, into
  /// values[bands x rows x columns]. The same values for any cut into windows. Throws ArgumentError for a window or a
  /// band that is not there, DataError for damage. Number: float or double (which holds all that is stored exactly).
  template <typename Number>
  void read(const Window& window, std::span<const Index> bands, Number* values, Reading reading = Reading::meant) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

extern template void RasterReader::read(const Window&, std::span<const Index>, float*, Reading) const;
extern template void RasterReader::read(const Window&, std::span<const Index>, double*, Reading) const;

}  // namespace fovea::datasets::rasters

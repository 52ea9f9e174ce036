#pragma once
/// What a raster is: a grid of pixels with bands, and where it lies on the Earth.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::datasets::rasters {

/// A rectangle of pixels; rows count from the upper edge.
struct Window {
  Index row = 0, column = 0, rows = 0, columns = 0;
  Index pixels() const { return rows * columns; }
  bool operator==(const Window&) const = default;
};

/// How the numbers are stored.
enum class SampleType : std::uint8_t { uint8, int8, uint16, int16, uint32, int32, float32, float64 };
std::size_t bytes_of(SampleType type);
const char* name_of(SampleType type);  ///< "uint8", "float32"
inline bool is_real(SampleType type) { return type == SampleType::float32 || type == SampleType::float64; }

/// The georeference of a GeoTIFF as it stands in its tags: passed through bit for bit, never computed.
struct Georeference {
  std::vector<double> pixel_scale;      ///< tag 33550
  std::vector<double> tie_points;       ///< 33922
  std::vector<double> matrix;           ///< 34264
  std::vector<std::uint16_t> geo_keys;  ///< 34735
  std::vector<double> geo_doubles;      ///< 34736
  std::string geo_text;                 ///< 34737, with its last NUL

  bool is_there() const { return !pixel_scale.empty() || !matrix.empty(); }
  /// A geo key whose value stands in the directory itself (1025: 1 area, 2 point; 3072: the EPSG code of a projection).
  std::optional<std::uint16_t> key(std::uint16_t number) const;
  /// "EPSG:32631", "its own coordinate system", "no coordinate system".
  std::string system() const;
  bool operator==(const Georeference&) const = default;  ///< bit for bit, but that NaN is unlike itself
};

/// The map from pixels to the Earth: x = a c + b r + x0, y = d c + e r + y0, of the upper left corner of a pixel at
/// column c and row r.
struct GridMap {
  double a = 0, b = 0, x0 = 0, d = 0, e = 0, y0 = 0;
};
/// Nothing without georeference. Pixel-is-point (key 1025) is moved by half a pixel, so that areas and points compare.
std::optional<GridMap> grid_map(const Georeference& place);

struct BandFacts {
  std::string name;              ///< GDAL_METADATA's description, or ""
  double scale = 1, offset = 0;  ///< value = scale * stored + offset
  bool is_alpha = false;         ///< 0 where a pixel is not shown; no band of values
};

struct RasterFacts {
  Index rows = 0, columns = 0;
  SampleType sample = SampleType::float32;
  std::vector<BandFacts> bands;
  Georeference place;
  std::string missing_text;       ///< GDAL_NODATA as it stands there; "" if there is none
  std::optional<double> missing;  ///< its number
  std::string packing;            ///< "DEFLATE"
  bool tiled = false, band_by_band = false;
  Index tile_rows = 0, tile_columns = 0;  ///< of a tile or strip
  bool has_palette = false;               ///< its numbers stand for colours: they may be classes, but no values
  std::string hidden_by;                  ///< what hides pixels: "its mask", "its alpha band", "FILE.msk"; or ""
  std::vector<std::string> notes;         ///< what was passed over: overviews, a mask of another size, ...

  Index value_bands() const;  ///< all but an alpha band

  Window whole() const { return {0, 0, rows, columns}; }
};

/// Largest distance, in pixels of `first`, between the same corners of the grids of two rasters: .01 and less is the
/// same grid. `factor`: so many columns and rows of `first` are one of `second`. NaN without georeference.
double grid_distance(const RasterFacts& first, const RasterFacts& second, double factor = 1);
inline constexpr double kGridTolerance = 0.01;

/// Whether the coordinate systems are the same: the EPSG code of the projection, or of the geographic system, and
/// without one all keys but names and area-or-point.
bool same_system(const Georeference& first, const Georeference& second);

/// A number as GDAL writes one ("nan", "-9999", "1e-3"), whatever the locale; nothing for another text.
std::optional<double> number_in(std::string_view text);

}  // namespace fovea::datasets::rasters

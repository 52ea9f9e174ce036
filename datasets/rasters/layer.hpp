#pragma once
/// A raster as a layer of a scene: on the scene's grid, which may be finer or coarser by 2. Internal to
/// datasets/rasters.

#include <optional>
#include <string>
#include <vector>

#include "fovea/datasets/rasters/raster_reader.hpp"

namespace fovea::datasets::rasters {

/// How many pixels of the scene are one of the layer, along a side: 1, 2 or 1/2.
class Layer {
 public:
  Layer(const std::string& path, std::size_t cache) : reader_(path, cache) {}
  std::size_t piece_bytes() const;  ///< of a tile or strip that is unpacked as a whole; 0: pixels are read one by one
  const RasterReader& reader() const { return reader_; }
  const RasterFacts& facts() const { return reader_.facts(); }

  /// Compares the layer with the grid of the scene. finer: whether half pixels are allowed. Returns a note or "".
  /// Throws DataError.
  std::string put_on(const RasterFacts& grid, const std::string& grid_path, bool finer);
  double factor() const { return factor_; }
  Index scene_rows() const { return static_cast<Index>(factor_ * static_cast<double>(facts().rows)); }
  Index scene_columns() const { return static_cast<Index>(factor_ * static_cast<double>(facts().columns)); }

  /// A band on the scene's pixels, NaN beyond the edges; missing numbers as told. nearest: classes, else bilinear.
  void read(const Window& window, Index band, bool nearest, std::optional<float> instead, float* values) const;

 private:
  void padded(const Window& window, Index band, std::optional<float> instead, float* values) const;
  RasterReader reader_;
  mutable std::vector<float> part_;  ///< of a window beyond an edge
  double factor_ = 1;
};

}  // namespace fovea::datasets::rasters

#pragma once
/// The two files of a map: classes, and what stands behind them.
///
///   NAME.tif         the labels' class numbers; no data 255, or 65535 where they need 16 bits
///   NAME_layers.tif  Float32: probability_CLASS with its number, trust_s1, trust_s2, entropy (nats, of the ensemble's
///                    probabilities), spread (deviation of the likeliest class's probability between members); no data
///                    nan. Numbers are rounded to 12 bits behind the leading one, which are 1.2e-4 of a number at most.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fovea/datasets/rasters/raster_writer.hpp"

namespace fovea::fusion::maps {

struct MapPlan {
  Index rows = 0, columns = 0;
  datasets::rasters::Georeference place;
  std::vector<std::int32_t> classes;  ///< numbers, 0 to 65534
  std::string key;                    ///< what the map depends on: whoever goes on must have the same; "": anew
};

/// Pixels of a window, row after row.
struct MapWindow {
  datasets::rasters::Window window;
  std::vector<std::int32_t> classes;  ///< numbers, or no_data()
  std::vector<float> layers;          ///< [layers x pixels]; NaN: no data
};

/// "OUT/a.tif" -> "OUT/a_layers.tif"
std::string layers_path(const std::string& path);

class MapFiles {
 public:
  /// Throws StorageError.
  MapFiles(const std::string& path, const MapPlan& plan);

  std::int32_t no_data() const { return no_data_; }
  Index layers() const { return layers_count_; }
  static Index tile() { return 256; }
  /// Rows before it are finished, by who began the map and was stopped.
  Index first_row() const;
  void write(const MapWindow& window);
  /// The same in two steps: several threads may pack their windows at a time.
  struct Packed {
    MapWindow window;  ///< what is not whole tiles stays as it is
    datasets::rasters::PackedTiles classes, layers;
  };
  Packed packed(const MapWindow& window) const;
  void put(Packed packed);
  /// Both files come into place. Throws StorageError.
  void finish();

 private:
  std::int32_t no_data_;
  Index layers_count_;
  std::unique_ptr<datasets::rasters::RasterWriter> classes_, layers_;
};

/// Rounds to 12 bits behind the leading one, ties to even; NaN stays.
void round_layers(std::span<float> numbers);

}  // namespace fovea::fusion::maps

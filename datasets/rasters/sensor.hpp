#pragma once
/// A sensor of a scene: its file, which of its bands are wanted, and which of its numbers are values. Internal to
/// datasets/rasters.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fovea/datasets/rasters/kernels/number_loops.hpp"
#include "fovea/datasets/rasters/layer.hpp"
#include "fovea/datasets/rasters/units.hpp"

namespace fovea::datasets::rasters {

class Sensor {
 public:
  /// dark_below: values below 0 are dark, too (reflectances, but not dB).
  Sensor(const std::string& path, std::size_t cache, bool dark_below);

  const std::string& path() const { return layer.reader().path(); }
  const std::vector<std::string>& names() const { return names_; }
  PossibleRange usual() const { return usual_; }  ///< where 98 of 100 of the values lie that settle() examined

  /// Which bands are read: those that are wanted, in their order, by their names; without names all, which must be as
  /// many. Nothing wanted: the known ones of the file, or `usual`. Throws DataError.
  void choose_bands(const std::vector<std::string>& wanted, const std::vector<std::string>& usual,
                    std::vector<std::string>& notes);

  /// Examines values spread over the raster: what fills it, and in which unit it is, stated or determined; from then on
  /// what is not possible in it is no data. Throws DataError where the unit is none that is known, cannot be the stated
  /// one, or is not the wanted one, unless stated.
  template <typename Unit>
  std::optional<Unit> settle(const char* key, std::optional<Unit> stated, std::optional<Unit> wanted,
                             std::vector<std::string>& notes);

  /// The bands at the pixels of a window; a pixel without data is NaN in all.
  void read(const Window& window, Matrix<float>& values, std::vector<std::uint8_t>& valid) const;

  Layer layer;

 private:
  BandValues spread_values() const;
  void add_values(const Window& window, BandValues& bands) const;
  void take_fills_out(BandValues& values, std::vector<std::string>& notes);

  std::vector<Index> order_;
  std::vector<std::string> names_;
  std::vector<Fill> fills_;
  Possible possible_;
  PossibleRange usual_{0, 0};
};

extern template std::optional<SarUnit> Sensor::settle(const char*, std::optional<SarUnit>, std::optional<SarUnit>,
                                                      std::vector<std::string>&);
extern template std::optional<OpticalUnit> Sensor::settle(const char*, std::optional<OpticalUnit>,
                                                          std::optional<OpticalUnit>, std::vector<std::string>&);

}  // namespace fovea::datasets::rasters

#pragma once
/// A scene: both sensors, labels, split and mask on one grid, window by window.
///
/// The grid is that of the finer sensor. What is coarser by a factor of 2 is resampled: bands bilinearly over the
/// pixels that are there (missing where the nearest is), maps of classes to the nearest pixel; labels may be finer by
/// 2, too (the pixel right and below of the middle, as gdal's nearest). Nothing else is guessed: another coordinate
/// system, a grid more than .01 pixel off, or another size is a DataError.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fovea/datasets/rasters/raster.hpp"
#include "fovea/datasets/rasters/scene_list.hpp"
#include "fovea/datasets/rasters/units.hpp"

namespace fovea::datasets::rasters {

/// What scenes must be. Bands are known by their names (band_names.hpp); a file without names has them in order.
/// Further bands are not read.
struct SceneRules {
  std::vector<std::string> s1_bands, s2_bands;  ///< wanted, in this order; empty: those of the file
  std::optional<SarUnit> s1_unit;               ///< wanted: what a model learned; else the file's
  std::optional<OpticalUnit> s2_unit;
  std::optional<SarUnit> s1_stated;  ///< what the files are in, as data.units says: converted to the wanted
  std::optional<OpticalUnit> s2_stated;
  Index label_band = 0;                       ///< of maps of labels with several, from 1; 0: they have one
  bool byte_255_is_class = false;             ///< of labels in bytes; else it is no label
  std::size_t cache = std::size_t{64} << 20;  ///< bytes of unpacked pieces that are kept in all
};

struct SceneFacts {
  std::string name;
  Index rows = 0, columns = 0;
  std::vector<std::string> s1_bands, s2_bands;  ///< empty: no such sensor
  std::optional<SarUnit> s1_unit;               ///< of the values that are given; nothing if it is not determined
  std::optional<OpticalUnit> s2_unit;
  PossibleRange s1_usual{0, 0}, s2_usual{0, 0};  ///< where 98 of 100 of the examined values lie, as they are stored
  bool has_labels = false, has_split = false, has_mask = false;
  std::size_t largest_piece = 0;  ///< bytes of the largest tile or strip that is unpacked as a whole
  Georeference place;
  std::vector<std::string> notes;  ///< assumed, converted, resampled
};

/// Pixels of a window, row after row. Where a sensor has no data all its bands are NaN and its mask is 0.
struct SceneWindow {
  Window window;
  Matrix<float> s1, s2;  ///< [bands x pixels]
  std::vector<std::uint8_t> s1_valid, s2_valid;
  std::vector<std::int32_t> labels, split;  ///< kNoLabel where there is none; empty without such a map
};
inline constexpr std::int32_t kNoLabel = -1;

/// One thread at a time may use it; several may open the same scene.
class Scene {
 public:
  /// Opens and compares the files. Throws DataError with file, band, rule and way out.
  explicit Scene(const SceneEntry& entry, const SceneRules& rules = {});
  ~Scene();
  Scene(Scene&&) noexcept;

  const SceneFacts& facts() const;
  /// The window may reach over the edges: there is no data. No data are NaN, infinite numbers, the no-data number, what
  /// the file's mask or alpha band hides, what the sensor cannot measure (units.hpp), numbers that fill the raster, 0
  /// in all bands of a sensor, of S2 also what is at most 0 in all bands or where the mask of the scene is not 0. A
  /// no-data number 0 counts where all bands have it: single bands may be dark. Labels below 0, the no-data number, and
  /// 255 of uint8, unless it is a class, are kNoLabel.
  SceneWindow read(const Window& window) const;
  void read(const Window& window, SceneWindow& to) const;  ///< the same, in memory that is used again

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fovea::datasets::rasters

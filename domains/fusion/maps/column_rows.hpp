#pragma once
/// The columns of flood/pixel_columns.hpp row by row, from what the rows above left: each pixel of a window is looked
/// at once, and the memory in use fits into the second cache. The same additions in the same order, so the same bits.

#include <array>
#include <vector>

#include "fovea/core/base/memory.hpp"
#include "fovea/domains/fusion/flood/pixel_columns.hpp"
#include "fovea/domains/fusion/maps/pixel_network.hpp"

namespace fovea::fusion::maps {

/// One sensor of a window.
class SensorRows {
 public:
  /// width: pixels of a row with the margin. sides: of the squares, ascending.
  SensorRows(Index channels, std::vector<Index> sides, Index margin, Index width);
  void begin() { pushed_ = 0; }
  /// Where the values of the next row's channel go, 0 where it is not valid; `channels` is the count of valid ones.
  float* next(Index channel);
  void push();  ///< when all channels of a row are there
  /// Columns around the pixels of the row that lies `margin` above the one that was pushed last, [columns x stride],
  /// and whether they are valid.
  void columns(float* to, float* valid, Index stride);

 private:
  float* row(Index channel, Index level, Index index);
  void squares(Index channel, Index side, float* to);

  Index channels_, margin_, width_, stride_, kept_, levels_, pushed_ = 0;
  std::vector<Index> sides_;
  std::vector<AlignedVector<float>> memory_;  ///< of each channel, the counts last: [level][kept][stride]
  AlignedVector<float> lines_;                ///< of one row, level after level
  std::vector<AlignedVector<float>> counts_;  ///< of each side, of the present row
};

/// A window of a scene, from its upper row on.
class ColumnRows {
 public:
  ColumnRows(const flood::ColumnPlan& plan, Index columns);
  Index columns() const { return width_ - 2 * plan_.margin(); }
  /// shown: with plan.margin() pixels above and below, and on each side of the columns [first, first + columns),
  /// counted from its own first behind the margin. It must live until the last row is taken.
  void begin(const datasets::rasters::SceneWindow& shown, Index first = 0);
  /// The next row of inner pixels. Its memory is this object's.
  PixelRow next();

 private:
  void push_row();
  void push_sensor(std::size_t sensor);

  flood::ColumnPlan plan_;
  std::vector<flood::BandDifference> differences_;
  Index width_, stride_, row_ = 0, first_ = 0;
  const datasets::rasters::SceneWindow* shown_ = nullptr;
  std::array<SensorRows, 2> sensors_;
  AlignedVector<float> none_;
  std::array<AlignedVector<float>, 2> columns_, inner_valid_;
};

}  // namespace fovea::fusion::maps

#pragma once
/// One thread's part of mapping a scene: reads windows and answers for them.

#include <memory>

#include "fovea/domains/fusion/maps/column_rows.hpp"
#include "fovea/domains/fusion/maps/map_files.hpp"

namespace fovea::fusion::maps {

/// The numbers of a class map.
struct MapNumbers {
  std::vector<std::int32_t> classes;
  std::int32_t no_data = 255;
};

class WindowMapper {
 public:
  WindowMapper(const datasets::rasters::SceneEntry& entry, const datasets::rasters::SceneRules& rules,
               const flood::ColumnPlan& plan, const PixelNetwork& network, MapNumbers numbers);
  const datasets::rasters::SceneFacts& facts() const { return scene_.facts(); }
  /// The window's pixels; it lies within the scene.
  const MapWindow& map(const datasets::rasters::Window& window);
  /// Of all pixels mapped so far.
  struct Counts {
    Index pixels = 0, no_data = 0, unfamiliar = 0;
    PixelNetwork::OutsideCounts outside;
    Counts& operator+=(const Counts& more);
  };
  const Counts& counts() const { return counts_; }

 private:
  void take(const PixelRow& row, Index index);

  datasets::rasters::Scene scene_;
  flood::ColumnPlan plan_;
  const PixelNetwork& network_;
  MapNumbers numbers_;
  datasets::rasters::SceneWindow shown_;
  MapWindow made_;
  std::unique_ptr<ColumnRows> rows_;
  PixelNetwork::Work work_;
  AlignedVector<float> answers_;
  Counts counts_;
};

}  // namespace fovea::fusion::maps

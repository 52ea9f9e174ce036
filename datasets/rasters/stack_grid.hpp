#pragma once
/// The grid of a stack, of which the sensors' grids are coarser by whole factors.

#include <string>
#include <vector>

#include "fovea/datasets/rasters/stacks.hpp"

namespace fovea::datasets::rasters {

struct StackGrid {
  Index rows = 0, columns = 0;
  Index pixels() const { return rows * columns; }
};

/// The series with most rows among those that the stack has, of equals the first of 10 m, 20 m and S1.
const ImageSeries& finest_series(const Stack& stack);
/// Its grid.
StackGrid finest_grid(const Stack& stack);

/// The number of the series' pixel in which each pixel of the grid lies, row by row; none where the stack has no such
/// series. Throws DataError that starts with `source` unless the sides of the grid are those of the series by one whole
/// factor.
std::vector<Index> places_on(const std::string& source, const StackGrid& grid, const ImageSeries& series);

/// The same of the scene classes of a date, of which the number alone is known.
std::vector<Index> class_places_on(const std::string& source, const StackGrid& grid, std::size_t classes);

/// What a scene class (Sentinel-2 level 2A) tells of the ground: 4 to 7, vegetation, bare, water and unclassified.
inline bool shows_ground(std::int32_t scene_class) { return scene_class >= 4 && scene_class <= 7; }

}  // namespace fovea::datasets::rasters

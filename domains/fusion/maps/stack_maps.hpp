#pragma once
/// Maps of a stack of dates by a model of its pixels.

#include <algorithm>
#include <string>
#include <vector>

#include "fovea/core/study/predict/maps_predictor.hpp"
#include "fovea/datasets/rasters/raster.hpp"

namespace fovea::fusion::maps {

bool is_raster_name(const std::string& output);  ///< .tif, .tiff

struct StackPlace {
  datasets::rasters::Georeference georeference;
  bool rising = false;  ///< y rises with the rows: a raster, whose first row lies in the north, has them in reverse
};
/// Where a stack lies (datasets/rasters/stacks.hpp) whose finest images have so many pixels, from its x, y and system:
/// no georeference where x or y is missing, uneven, or x falls.
StackPlace place_of_stack(const std::string& path, Index rows, Index columns);

/// Turns rows of a raster over, `layers` of it one after the other.
template <typename Number>
void turn_over(Number* numbers, Index layers, Index rows, Index columns) {
  for (Index layer = 0; layer < layers; ++layer, numbers += rows * columns)
    for (Index row = 0; row < rows / 2; ++row)
      std::swap_ranges(numbers + row * columns, numbers + (row + 1) * columns, numbers + (rows - 1 - row) * columns);
}

/// Writes the two files of a map (map_files.hpp), request.output being the first. What the task predicts are the
/// pixels of the stack's finest grid, row by row. A pixel that no date shows has no data. Returns sentences about the
/// stack. Throws DataError, StorageError.
std::vector<std::string> write_stack_map(const study::LearnedTask& task, const study::TrainedModel& model,
                                         const study::MapRequest& request);

}  // namespace fovea::fusion::maps

#pragma once
/// Maps of a stack of dates by a model of its pixels.

#include <string>
#include <vector>

#include "fovea/core/study/predict/map_maker.hpp"
#include "fovea/datasets/rasters/raster.hpp"

namespace fovea::fusion::maps {

bool is_raster_name(const std::string& output);  ///< .tif, .tiff

/// The georeference of a stack (datasets/rasters/stacks.hpp) whose finest images have so many pixels, from its x, y and
/// system: none where x or y is missing or uneven.
datasets::rasters::Georeference place_of_stack(const std::string& path, Index rows, Index columns);

/// Writes the two files of a map (map_files.hpp), request.output being the first. What the study predicts are the
/// pixels of the stack's finest grid, row by row. A pixel that no date shows has no data. Returns sentences about the
/// stack. Throws DataError, StorageError.
std::vector<std::string> write_stack_map(const study::Study& study, const study::TrainedModel& model,
                                         const study::MapMaker::Request& request);

}  // namespace fovea::fusion::maps

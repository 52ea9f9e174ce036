#pragma once
/// Maps by a model of "fusion.flood".

#include <string>
#include <vector>

#include "fovea/core/study/predict/maps_predictor.hpp"

namespace fovea::fusion::maps {

/// Whether that names a folder: no file of rows (.csv, .h5, .hdf5), and not nothing.
bool is_folder_of_maps(const std::string& output);

/// See scene_maps.hpp. How scenes are read is told by their values unless request.set says it, however it was in the
/// training.
std::vector<std::string> write_flood_maps(const study::LearnedTask& task, const study::TrainedModel& model,
                                          const study::MapRequest& request);

}  // namespace fovea::fusion::maps

#pragma once
/// Maps of the scenes of a list by a model of pixels, in memory that does not grow with the scenes.
///
/// Windows are read with the margin that the model sees, computed and written one after the other, the rows of tiles
/// from above. A pixel depends on its square alone, so any window, number of threads and order of scenes gives the same
/// bytes. What stops it (a signal, a kill, a full disk) leaves parts beside the maps, from which the same command goes
/// on; a map itself is whole or not there.

#include <string>
#include <vector>

#include "fovea/core/study/predict/maps_predictor.hpp"
#include "fovea/domains/fusion/flood/pixel_columns.hpp"
#include "fovea/domains/fusion/flood/training_scenes.hpp"
#include "fovea/domains/fusion/maps/map_files.hpp"

namespace fovea::fusion::maps {

struct ScenePlan {
  flood::ColumnPlan columns;
  flood::SceneReading reading;
  std::vector<std::int32_t> classes;  ///< numbers of the target's classes
  study::Target target;
  Index window = 512;  ///< columns that are computed at a time; does not change the result
};

/// The least memory with which a scene is mapped.
inline constexpr std::size_t kLeastMapMemory = std::size_t{128} << 20;

/// Writes OUTPUT/SCENE.tif and OUTPUT/SCENE_layers.tif for each scene of the list request.data. Returns sentences about
/// the scenes. All scenes are looked at before the first is mapped. Throws DataError, StorageError, Interrupted.
std::vector<std::string> write_scene_maps(const study::TrainedModel& model, const ScenePlan& plan,
                                          const study::MapRequest& request);

}  // namespace fovea::fusion::maps

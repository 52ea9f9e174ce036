#include "fovea/domains/fusion/maps/flood_maps.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/predict/new_files.hpp"
#include "fovea/domains/fusion/flood/flood.hpp"
#include "fovea/domains/fusion/maps/scene_maps.hpp"

namespace fovea::fusion::maps {

bool is_folder_of_maps(const std::string& output) {
  return !output.empty() && !output.ends_with(".csv") && !output.ends_with(".h5") && !output.ends_with(".hdf5");
}

std::vector<std::string> write_flood_maps(const study::LearnedTask& task, const study::TrainedModel& model,
                                          const study::MapRequest& request) {
  Config learned = model.config;
  for (const char* key : {"data.units.s1", "data.units.s2"}) learned.set(key, ConfigValue(std::string("auto")), {});
  const Config config = study::config_of_new_files(task, learned, {.data = request.data, .set = request.set});
  for (const char* key : {"data.bands", "data.classes"})
    if (config.texts(key) != learned.texts(key))
      throw ConfigError(concat("--set ", key, ": belongs to the model; train another one for it."));
  ScenePlan plan{flood::column_plan(learned), flood::scene_reading(config), flood::class_numbers(learned),
                 task.target(learned)};
  plan.reading.s2_bands = plan.columns.s2_bands;
  return write_scene_maps(model, plan, request);
}

}  // namespace fovea::fusion::maps

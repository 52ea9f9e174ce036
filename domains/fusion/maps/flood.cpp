/// The experiment "fusion.flood": where is water, from one image of Sentinel-1 and one of Sentinel-2; whole scenes
/// become maps.

#include "fovea/domains/fusion/flood/flood.hpp"

#include <array>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/study/predict/maps_predictor.hpp"
#include "fovea/core/study/predict/new_files.hpp"
#include "fovea/domains/fusion/experiments.hpp"
#include "fovea/domains/fusion/maps/scene_maps.hpp"
#include "fovea/domains/fusion/model/lost_sensors.hpp"

namespace fovea::fusion::maps {

namespace {

/// No file of rows.
bool is_folder(std::string_view output) {
  return !output.empty() && !output.ends_with(".csv") && !output.ends_with(".h5") && !output.ends_with(".hdf5");
}

/// How scenes are read is told by their values unless request.set says it, however it was in the training.
std::vector<std::string> maps_of(const study::LearnedTask& task, const study::TrainedModel& model,
                                 const study::MapRequest& request) {
  Config learned = model.config;
  for (const char* key : {"data.units.s1", "data.units.s2"}) learned.set(key, ConfigValue(std::string("auto")), {});
  const Config config = study::config_of_new_files(task, learned, {.data = request.data, .set = request.set});
  for (const char* key : {"data.bands", "data.classes"})
    if (config.texts(key) != learned.texts(key))
      throw ConfigError(concat("--set ", key, ": belongs to the model; train another one for it."));
  const flood::FloodSettings settings = flood::flood_keys().read(learned);
  ScenePlan plan{settings.column_plan(), flood::flood_keys().read(config).reading, settings.class_numbers(),
                 task.target(learned)};
  plan.reading.s2_bands = plan.columns.s2_bands;
  return write_scene_maps(model, plan, request);
}

class FloodStudy final : public model::SensorStudy {
 public:
  FloodStudy()
      : SensorStudy(flood::flood_task(), "sensors_mean_iou", "Mean intersection over union of the tested pixels") {}
  const Predictor* predictor(std::string_view output) const override {
    return is_folder(output) ? &maps_ : study::Study::predictor(output);
  }

 protected:
  /// Of the same pixels, as they are: one that is left with nothing is answered, too.
  std::vector<double> with_and_without(const Results& merged) const override {
    std::vector<double> values = model::SensorStudy::with_and_without(merged);
    const std::array<const char*, 3> skies{"sky_mean_iou", "sky_mean_iou_s1", "sky_mean_iou_s2"};
    for (std::size_t k = 0; k < skies.size(); ++k)
      if (!std::isnan(values[k])) values[k] = view(merged.data, skies[k]).at({{"sky", 0}}).mean().mean;
    return values;
  }

 private:
  study::MapsPredictor maps_{task(), [this](const study::TrainedModel& model, const study::MapRequest& request) {
                               return maps_of(task(), model, request);
                             }};
};

}  // namespace

std::unique_ptr<Experiment> make_flood() { return std::make_unique<FloodStudy>(); }

}  // namespace fovea::fusion::maps

#include "fovea/core/base/words.hpp"
#include "fovea/domains/fusion/flood/flood.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"

namespace fovea::fusion::flood {

namespace {

using datasets::rasters::kNoLabel;

/// Of the pixels of all scenes.
struct SeenPixels {
  Index all = 0, s1 = 0, s2 = 0, none = 0, unlabelled = 0;

  void add(const datasets::rasters::SceneWindow& shown) {
    for (Index i = 0; i < shown.window.pixels(); ++i) {
      const std::size_t at = i;
      const bool by_s1 = !shown.s1_valid.empty() && shown.s1_valid[at] != 0,
                 by_s2 = !shown.s2_valid.empty() && shown.s2_valid[at] != 0;
      ++all, s1 += by_s1, s2 += by_s2, none += !by_s1 && !by_s2;
      unlabelled += (by_s1 || by_s2) && shown.labels[at] == kNoLabel;
    }
  }
};

}  // namespace

study::Reading reading_of(const FloodSettings& settings, const std::vector<TrainingScene>& scenes,
                          const std::vector<ChosenPixel>& chosen, std::vector<std::string> notes) {
  study::Reading reading;
  reading.noun = "pixel", reading.token = "sensor reading", reading.group = "block";
  if (!settings.simulated()) reading.files = {settings.scenes};
  const auto known_by = [&](const std::string& stated, const char* key) {
    return settings.simulated() ? "simulated"
           : stated == "auto"   ? "its values, or assumed where these are too few"
                                : concat("the key ", key);
  };
  SeenPixels seen;
  for (const TrainingScene& scene : scenes) seen.add(scene.shown);
  if (seen.s1 > 0)
    reading.variables.push_back({model::kSensorNames[0], "dB", known_by(settings.reading.s1_unit, "data.units.s1")});
  if (seen.s2 > 0)
    reading.variables.push_back(
        {model::kSensorNames[1], "10000 x reflectance", known_by(settings.reading.s2_unit, "data.units.s2")});
  ChoicePlan unlimited = settings.choice;
  unlimited.training = unlimited.validation = seen.all, unlimited.renditions = 0;
  const Index fit = std::ssize(choose_pixels(scenes, unlimited));
  reading.left_out = {
      {"pixel", seen.none, "no data of either sensor"},
      {"pixel", seen.unlabelled, "no label"},
      {"pixel", seen.all - seen.none - seen.unlabelled - fit, "at the edge of a block (data.guard), or in no part"},
      {"pixel", fit - std::ssize(chosen), "more than data.pixels or data.validation_pixels"}};
  std::erase_if(reading.left_out, [](const study::LeftOut& one) { return one.count == 0; });
  reading.notes = std::move(notes);
  reading.notes.push_back(concat("Of ", counted(seen.all, "pixel"), " of ", counted(std::ssize(scenes), "scene"),
                                 " S1 shows ", seen.s1, " and S2 ", seen.s2));
  if (settings.choice.renditions > 0)
    reading.notes.push_back(
        "Half of the training and validation pixels are shown as in altered copies (training.renditions), in which a "
        "sensor may be missing: sensor readings are counted as shown");
  if (settings.choice.renditions > 1 && settings.added_cover > 0)  // every second copy has them
    reading.notes.push_back(
        "Clouds that are painted into copies of the training scenes widen the training range of S2: snow, deserts and "
        "other bright scenes lie within it, of which `fovea predict` does not warn");
  return reading;
}

}  // namespace fovea::fusion::flood

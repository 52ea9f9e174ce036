#include "fovea/domains/fusion/examples.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/datasets/rasters/raster_writer.hpp"
#include "fovea/domains/fusion/flood/training_scenes.hpp"

namespace fovea::fusion {

namespace {

namespace rasters = datasets::rasters;

constexpr Index kExampleSide = 96;
constexpr int kNoExampleLabel = 255;

/// A raster of one scene: 10 m pixels in UTM zone 31 north, 10 km east of the scene before.
void write_example_raster(const std::string& path, rasters::SampleType sample, const std::vector<std::string>& bands,
                          int scene, const std::string& missing,
                          const std::function<double(Index band, Index pixel)>& value) {
  rasters::RasterPlan plan;
  plan.rows = plan.columns = kExampleSide, plan.sample = sample, plan.missing_text = missing, plan.tile = 48;
  for (const std::string& band : bands) plan.bands.push_back({band});
  plan.place.pixel_scale = {10, 10, 0};
  plan.place.tie_points = {0, 0, 0, 500000 + 10000.0 * scene, 5600000, 0};
  plan.place.geo_keys = {1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32631};
  std::vector<double> values;
  for (std::size_t band = 0; band < bands.size(); ++band)
    for (Index pixel = 0; pixel < kExampleSide * kExampleSide; ++pixel)
      values.push_back(value(static_cast<Index>(band), pixel));
  rasters::RasterWriter writer(path, plan);
  writer.write({0, 0, kExampleSide, kExampleSide}, values.data());
  writer.finish();
}

void write_scenes(const std::string& folder) {
  std::string list = "scene,s1,s2,labels\n";
  int number = 0;
  for (const flood::TrainingScene& scene :
       flood::simulated_scenes({.side = kExampleSide}, Random(1).stream("scenes"))) {
    const std::string name = folder + '/' + scene.name;
    const auto& shown = scene.shown;
    write_example_raster(name + "_s1.tif", rasters::SampleType::float32, {"VV", "VH"}, number, "nan",
                         [&](Index band, Index pixel) { return std::round(100 * shown.s1(band, pixel)) / 100; });
    write_example_raster(name + "_s2.tif", rasters::SampleType::uint16, flood::kSimulatedBands, number, "0",
                         [&](Index band, Index pixel) {
                           return shown.s2_valid[pixel] == 0 ? 0 : std::max(1.0F, std::round(shown.s2(band, pixel)));
                         });
    write_example_raster(name + "_labels.tif", rasters::SampleType::uint8, {"water"}, number, concat(kNoExampleLabel),
                         [&](Index, Index pixel) { return static_cast<double>(shown.labels[pixel]); });
    list += concat(scene.name, ',', scene.name, "_s1.tif,", scene.name, "_s2.tif,", scene.name, "_labels.tif\n");
    ++number;
  }
  write_file(folder + "/scenes.csv", list);
}

}  // namespace

std::vector<Example> examples() {
  return {{"scenes.csv",
           "two scenes of 96 x 96 pixels by Sentinel-1 and Sentinel-2 with clouds, and where water is",
           {"plain_1_s1.tif", "plain_1_s2.tif", "plain_1_labels.tif", "plain_2_s1.tif", "plain_2_s2.tif",
            "plain_2_labels.tif"},
           {"fovea inspect scenes.csv"},
           &write_scenes}};
}

}  // namespace fovea::fusion

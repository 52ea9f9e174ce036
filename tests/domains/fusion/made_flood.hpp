#pragma once
/// A model of water and land whose weights are random numbers, and scenes that it may be asked about.

#include <functional>
#include <string>

#include "fovea/core/study/trained/model_file.hpp"
#include "fovea/domains/fusion/flood/flood.hpp"
#include "fovea/domains/fusion/maps/scene_maps.hpp"
#include "fovea/tests/datasets/rasters/made_rasters.hpp"
#include "fovea/tests/support/folders.hpp"

namespace fovea::support {

struct MadeFlood {
  explicit MadeFlood(Eigen::Index members = 2);
  study::Cases cases;  ///< pixels of simulated scenes
  study::Target target;
  study::TrainedModel model;
  fusion::maps::ScenePlan plan() const;
};

/// A scene of the model's bands as files: S1 in dB (VV, VH), S2 in numbers.
struct MadeScene {
  Eigen::Index rows = 70, columns = 90;
  std::uint64_t seed = 3;
  Eigen::Index tile = 32;
  /// Changes a value before it is written: band, row, column, value. S2's no-data is 0, S1's NaN.
  std::function<double(Eigen::Index, Eigen::Index, Eigen::Index, double)> change_s1 = nullptr, change_s2 = nullptr;
  std::function<void(datasets::rasters::RasterPlan&)> plan_s1 = nullptr, plan_s2 = nullptr;
};
/// Writes NAME_s1.tif and NAME_s2.tif.
void write_scene(const TemporaryFolder& folder, const std::string& name, const MadeScene& scene = {});
/// scenes.csv of scenes that were written.
std::string write_scene_list(const TemporaryFolder& folder, const std::vector<std::string>& names,
                             const std::string& list = "scenes.csv");

}  // namespace fovea::support

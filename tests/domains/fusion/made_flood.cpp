#include "fovea/tests/domains/fusion/made_flood.hpp"

#include <cmath>
#include <fstream>
#include <numeric>

#include "fovea/core/study/study.hpp"
#include "fovea/domains/fusion/experiments.hpp"
#include "fovea/tests/support/runs/run.hpp"

namespace fovea::support {

using namespace fovea::fusion;
using datasets::rasters::RasterPlan;
using datasets::rasters::SampleType;
using Eigen::Index;

MadeFlood::MadeFlood(Index members)
    : model{flood::flood_task()->resolved(
                config_of("fusion.flood", {concat("ensemble.members=", members), "data.side=60", "data.block=12",
                                           "data.guard=1", "model.s1_sides=[3, 11]", "model.s2_sides=[5]"})),
            {},
            {},
            {}} {
  const auto task = flood::flood_task();
  const Config& config = model.config;
  cases = study::read_all(*task->open(config, Random(4)));
  target = task->target(config);
  std::vector<Index> all(cases.count());
  std::iota(all.begin(), all.end(), Index{0});
  model.preparation = study::prepare(cases, all, target);
  model.calibration.scale = 1.3;
  model.members = study::make_members(*task, config, study::shape_of(model.preparation, target), Random(7));
  for (std::size_t m = 0; m < model.members.size(); ++m) {
    std::span<float> values = model.members[m].parameters.values();
    std::vector<double> noise(values.size());
    Random(8).normals(m, 0, noise);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += 0.1F * static_cast<float>(noise[i]);
  }
}

maps::ScenePlan MadeFlood::plan() const {
  const flood::FloodSettings settings = flood::flood_keys().read(model.config);
  maps::ScenePlan plan{settings.column_plan(), settings.reading, settings.class_numbers(), target};
  plan.reading.s2_bands = plan.columns.s2_bands;
  return plan;
}

void write_scene(const TemporaryFolder& folder, const std::string& name, const MadeScene& scene) {
  const Index side = std::max(scene.rows, scene.columns);
  const flood::TrainingScene made = flood::simulated_scenes({.side = side, .cloud = 0.1}, Random(scene.seed)).front();
  const auto& shown = made.shown;
  RasterPlan s1 = made_plan(scene.rows, scene.columns, SampleType::float32, {"VV", "VH"}),
             s2 = made_plan(scene.rows, scene.columns, SampleType::int16, {"B2", "B3", "B4", "B8"});
  s1.missing_text = "nan", s2.missing_text = "0", s1.tile = s2.tile = scene.tile;
  if (scene.plan_s1) scene.plan_s1(s1);
  if (scene.plan_s2) scene.plan_s2(s2);
  write_made_raster(folder.file(name + "_s1.tif"), s1, [&](Index b, Index r, Index c) {
    const auto value = static_cast<double>(shown.s1(std::min<Index>(b, 1), r % side * side + c % side));
    return scene.change_s1 ? scene.change_s1(b, r, c, value) : value;
  });
  write_made_raster(folder.file(name + "_s2.tif"), s2, [&](Index b, Index r, Index c) {
    const Index pixel = r % side * side + c % side;
    const double value =
        shown.s2_valid[pixel] == 0 ? 0 : std::round(static_cast<double>(shown.s2(std::min<Index>(b, 3), pixel)));
    return scene.change_s2 ? scene.change_s2(b, r, c, value) : value;
  });
}

std::string write_scene_list(const TemporaryFolder& folder, const std::vector<std::string>& names,
                             const std::string& list) {
  std::ofstream file(folder.file(list));
  file << "scene,s1,s2\n";
  for (const std::string& name : names) file << name << ',' << name << "_s1.tif," << name << "_s2.tif\n";
  return folder.file(list);
}

}  // namespace fovea::support

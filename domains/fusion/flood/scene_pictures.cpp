#include <algorithm>
#include <functional>
#include <map>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/domains/fusion/flood/flood.hpp"
#include "fovea/domains/fusion/flood/skies.hpp"
#include "fovea/domains/fusion/model/answer_maps.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"

namespace fovea::fusion::flood {

namespace {

using study::StudyOutcome;

constexpr Index kMostSide = 256;  // pixels of a picture
const std::vector<std::string> kColors{"#d8c9a3", "#2f6f9f", "#6aa84f", "#b5523b", "#7d5ba6", "#e0a030", "#4a4a4a"};

/// Where a tested case lies.
struct Place {
  std::string scene;
  Index row = 0, column = 0;
};

Place place_of(const std::string& id) {
  const std::size_t second = id.rfind(':'), first = id.rfind(':', second - 1);
  return {id.substr(0, first), std::stol(id.substr(first + 1, second - first - 1)), std::stol(id.substr(second + 1))};
}

/// The numbers of each tested pixel of the scene that has the most of them.
struct ShownScene {
  std::vector<Index> items;
  std::vector<Place> places;
  Index row = 0, column = 0, rows = 0, columns = 0, step = 1;
};

ShownScene shown_scene(const StudyOutcome& outcome) {
  std::map<std::string, ShownScene> scenes;
  for (const Index item : outcome.split.test) {
    const Place place = place_of(outcome.cases.ids[item]);
    ShownScene& scene = scenes[place.scene];
    scene.items.push_back(item), scene.places.push_back(place);
  }
  ShownScene best;
  for (auto& [name, scene] : scenes)
    if (scene.items.size() > best.items.size()) best = std::move(scene);
  Index bottom = 0, right = 0;
  best.row = best.places.front().row, best.column = best.places.front().column;
  for (const Place& place : best.places) {
    best.row = std::min(best.row, place.row), best.column = std::min(best.column, place.column);
    bottom = std::max(bottom, place.row), right = std::max(right, place.column);
  }
  best.step = (std::max(bottom - best.row, right - best.column) + kMostSide) / kMostSide;
  best.rows = (bottom - best.row) / best.step + 1, best.columns = (right - best.column) / best.step + 1;
  return best;
}

/// The last value of the pixels that fall on a picture's.
template <typename Value>
std::vector<Value> spread_out(const ShownScene& scene, Value nothing, const std::function<Value(Index)>& of_item) {
  std::vector<Value> map(scene.rows * scene.columns, nothing);
  for (std::size_t k = 0; k < scene.items.size(); ++k)
    map[(scene.places[k].row - scene.row) / scene.step * scene.columns +
        (scene.places[k].column - scene.column) / scene.step] = of_item(scene.items[k]);
  return map;
}

double value_of(const study::Cases& cases, Index item, Index sensor, Index column) {
  for (Index i = cases.offsets[item]; i < cases.offsets[item + 1]; ++i)
    if (cases.kinds[i] == sensor) return static_cast<double>(cases.values(i, column));
  return kNan;
}

/// Red, green and blue of S2, or its first band.
std::vector<double> picture_of(const ColumnPlan& plan, const study::Cases& cases, const ShownScene& scene) {
  std::vector<std::vector<double>> layers;
  for (const Index band : model::color_bands(plan.s2_bands))
    layers.push_back(spread_out<double>(
        scene, kNan, [&](Index item) { return value_of(cases, item, 1, plan.s1_columns() + band); }));
  std::vector<double> picture;
  for (std::size_t i = 0; i < layers[0].size(); ++i)
    for (const std::vector<double>& layer : layers) picture.push_back(layer[i]);
  return picture;
}

/// What legends call the classes. Those of the simulated scenes are known; labels of files say numbers alone.
std::vector<std::string> names_of_classes(const StudyOutcome& outcome) {
  return flood_keys().read(outcome.config).simulated() ? std::vector<std::string>{"land", "water"}
                                                       : outcome.target.classes;
}

/// The whole scene that the tested blocks are of: what S2 shows, the labels, and which pixels are tested.
void add_whole_scene(const StudyOutcome& outcome, const ShownScene& tested, const TrainingScene& scene,
                     Results& results) {
  const FloodSettings settings = flood_keys().read(outcome.config);
  const auto& shown = scene.shown;
  const Index height = shown.window.rows, width = shown.window.columns;
  const Index step = (std::max(height, width) + kMostSide - 1) / kMostSide;
  const Index rows = (height + step - 1) / step, columns = (width + step - 1) / step;
  const std::vector<std::int32_t> numbers = settings.class_numbers();
  std::vector<double> picture, classes, parts(rows * columns, 0.0);
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < columns; ++c) {
      const Index pixel = r * step * width + c * step;
      for (const Index band : model::color_bands(settings.column_plan().s2_bands))
        picture.push_back(shown.s2_valid[pixel] == 0 ? kNan : static_cast<double>(shown.s2(band, pixel)));
      const auto known = std::find(numbers.begin(), numbers.end(), shown.labels[pixel]);
      classes.push_back(known == numbers.end() ? kNan : static_cast<double>(known - numbers.begin()));
    }
  for (const Place& place : tested.places) parts[place.row / step * columns + place.column / step] = 1;
  results.data.dimension("scene_row", rows), results.data.dimension("scene_column", columns);
  results.add("scene_picture", {"scene_row", "scene_column", "rgb"}, picture, "1", "S2: red, green, blue");
  results.add("scene_class", {"scene_row", "scene_column"}, classes, "1", "true class");
  results.add("scene_part", {"scene_row", "scene_column"}, parts, "1", "what is tested");
  results.data.at("scene_picture").attributes["stretch"] = "2 98";
  results.data.at("scene_class").attributes = model::class_flags(names_of_classes(outcome), kColors);
  results.data.at("scene_part").attributes = model::class_flags({"not_tested", "tested"}, {"#e8ecef", "#7d5ba6"});
  results.figure({.kind = "image",
                  .name = "scene",
                  .title = "The whole scene",
                  .caption = concat("Scene ", scene.name, ". S2 is empty where it has no data",
                                    settings.reading.mask_hides ? ", as below clouds that hide it" : "",
                                    "; classes are empty where there is no label. The figures of answers show the "
                                    "tested pixels alone."),
                  .variables = {"scene_picture", "scene_class", "scene_part"},
                  .x = "scene_column",
                  .y = "scene_row",
                  .channel = "rgb"});
}

void add_maps(const StudyOutcome& outcome, const ShownScene& scene, const model::SensorAnswers& said,
              Results& results) {
  results.add("picture", {"row", "column", "rgb"},
              picture_of(flood_keys().read(outcome.config).column_plan(), outcome.cases, scene), "1",
              "S2: red, green, blue");
  results.add("vv", {"row", "column"},
              spread_out<double>(scene, kNan, [&](Index item) { return value_of(outcome.cases, item, 0, 0); }), "dB",
              "S1: backscatter in VV");
  results.data.at("vv").attributes = {{"valid_min", "-25"}, {"valid_max", "-5"}};
  const auto point = [&](Index item) { return model::map_point(outcome.cases.targets[item], said, item); };
  model::add_answer_maps(spread_out<model::MapPoint>(scene, {}, point), names_of_classes(outcome), kColors, results);
}

/// What the model answers with one sensor alone; empty where that shows nothing.
void add_maps_of_one(const StudyOutcome& outcome, const ShownScene& scene, Index sensor, Results& results) {
  const study::Cases cases = model::without_sensor(outcome.cases, 1 - sensor);
  const model::SensorAnswers said = model::answers_of(outcome, cases);
  const auto points = spread_out<model::MapPoint>(scene, {}, [&](Index item) {
    return cases.size(item) == 0 ? model::MapPoint{} : model::map_point(outcome.cases.targets[item], said, item);
  });
  const std::string name = sensor == 0 ? "s1" : "s2", shown = sensor == 0 ? "S1" : "S2";
  rows({"row", "column"}, points)
      .number("answer_" + name, &model::MapPoint::answer, "class by " + shown + " alone")
      .number("wrong_map_" + name, &model::MapPoint::wrong, "where " + shown + " alone is wrong")
      .write(results);
  results.data.at("answer_" + name).attributes = results.data.at("answer").attributes;
  results.data.at("wrong_map_" + name).attributes = results.data.at("wrong").attributes;
}

/// The same pixels below clouds that nobody announces.
void add_cloudy_maps(const StudyOutcome& outcome, const ShownScene& scene, const Skies& skies, Results& results) {
  const FloodSettings settings = flood_keys().read(outcome.config);
  const study::Cases cases = skies.shown(clouds_of(settings, false));
  const model::SensorAnswers said = model::answers_of(outcome, cases);
  results.add("picture_clouds", {"row", "column", "rgb"}, picture_of(settings.column_plan(), cases, scene), "1",
              "S2 with clouds painted in");
  results.add("trust_map_clouds", {"row", "column"},
              spread_out<double>(scene, kNan, [&](Index item) { return said.trust(item, 1); }), "1",
              "trust with clouds painted in");
  results.data.at("trust_map_clouds").attributes = {{"valid_min", "0"}, {"valid_max", "1"}};
  for (const char* name : {"picture", "picture_clouds"}) results.data.at(name).attributes["stretch"] = "2 98";
}

}  // namespace

void show_scenes(const StudyOutcome& outcome, Results& results) {
  const FloodSettings settings = flood_keys().read(outcome.config);
  const ShownScene scene = shown_scene(outcome);
  results.data.dimension("row", scene.rows);
  results.data.dimension("column", scene.columns);
  results.data.dimension("rgb", 3);
  add_maps(outcome, scene, model::answers_of(outcome, outcome.cases), results);
  for (const Index sensor : {0, 1}) add_maps_of_one(outcome, scene, sensor, results);
  const Skies skies(outcome);
  add_cloudy_maps(outcome, scene, skies, results);
  const TrainingScene& whole = skies.scene(scene.places.front().scene);
  const std::string what =
      concat(whole.tested_whole ? "" : "The tested blocks of ", whole.tested_whole ? "Scene " : "scene ", whole.name,
             whole.tested_whole ? ", of which no pixel was learned from" : "");
  results.figure({.kind = "image",
                  .name = "maps",
                  .title = "What each sensor shows, and what the model answers from it",
                  .caption = concat(what, ". Empty: not tested, not labelled, or no data of the sensor",
                                    settings.reading.mask_hides ? ", as S2 below clouds." : "."),
                  .variables = {"picture", "vv", "truth", "answer_s2", "answer_s1", "answer"},
                  .x = "column",
                  .y = "row",
                  .channel = "rgb"});
  results.figure({.kind = "image",
                  .name = "errors",
                  .title = "Where the answers are wrong, and where the model is unsure",
                  .caption = "The same pixels. Entropy of the answer from both sensors: 0 is sure.",
                  .variables = {"wrong_map_s2", "wrong_map_s1", "wrong", "entropy_map"},
                  .x = "column",
                  .y = "row"});
  results.figure({.kind = "image",
                  .name = "trust",
                  .title = "What S2 shows, and how far it is trusted",
                  .caption = "As the scene is, and with bright clouds in the values of S2 that no mask announces. The "
                             "rest is trust in S1.",
                  .variables = {"picture", "trust_map", "picture_clouds", "trust_map_clouds"},
                  .x = "column",
                  .y = "row",
                  .channel = "rgb"});
  if (!whole.tested_whole) add_whole_scene(outcome, scene, whole, results);
}

}  // namespace fovea::fusion::flood

#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/statistics/agreement/confusion.hpp"
#include "fovea/domains/fusion/flood/flood.hpp"
#include "fovea/domains/fusion/model/lost_sensors.hpp"

namespace fovea::fusion::flood {

namespace {

using study::StudyOutcome;

constexpr Index kMostSide = 256;  // pixels of a picture

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
    const Place place = place_of(outcome.cases.ids[static_cast<std::size_t>(item)]);
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

/// The last number of the pixels that fall on a picture's.
std::vector<double> spread_out(const ShownScene& scene, const std::function<double(Index)>& of_item) {
  std::vector<double> map(static_cast<std::size_t>(scene.rows * scene.columns), kNan);
  for (std::size_t k = 0; k < scene.items.size(); ++k)
    map[static_cast<std::size_t>((scene.places[k].row - scene.row) / scene.step * scene.columns +
                                 (scene.places[k].column - scene.column) / scene.step)] = of_item(scene.items[k]);
  return map;
}

std::string flags(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<std::string> colors_of(std::size_t classes) {
  const std::vector<std::string> palette{"#d8c9a3", "#2f6f9f", "#6aa84f", "#b5523b", "#7d5ba6", "#e0a030", "#4a4a4a"};
  std::vector<std::string> colors;
  for (std::size_t c = 0; c < classes; ++c) colors.push_back(palette[c % palette.size()]);
  return colors;
}

double value_of(const StudyOutcome& outcome, Index item, Index sensor, Index column) {
  for (Index i = outcome.cases.offsets[static_cast<std::size_t>(item)];
       i < outcome.cases.offsets[static_cast<std::size_t>(item) + 1]; ++i)
    if (outcome.cases.kinds[static_cast<std::size_t>(i)] == sensor)
      return static_cast<double>(outcome.cases.values(i, column));
  return kNan;
}

/// Red, green and blue of S2, or its first band.
std::vector<double> picture_of(const StudyOutcome& outcome, const ShownScene& scene) {
  const ColumnPlan plan = column_plan(outcome.config);
  std::vector<std::vector<double>> layers;
  for (const char* wanted : {"B4", "B3", "B2"}) {
    Index band = 0;
    for (std::size_t b = 0; b < plan.s2_bands.size(); ++b)
      if (plan.s2_bands[b] == wanted || plan.s2_bands[b] == concat("B0", wanted + 1)) band = static_cast<Index>(b);
    layers.push_back(
        spread_out(scene, [&](Index item) { return value_of(outcome, item, 1, plan.s1_columns() + band); }));
  }
  std::vector<double> picture;
  for (std::size_t i = 0; i < layers[0].size(); ++i)
    for (const std::vector<double>& layer : layers) picture.push_back(layer[i]);
  return picture;
}

void add_maps(const StudyOutcome& outcome, const model::SensorAnswers& said, Results& results) {
  const ShownScene scene = shown_scene(outcome);
  const auto answer = [&](Index item) {
    Index best = 0;
    said.probabilities.row(item).maxCoeff(&best);
    return static_cast<double>(best);
  };
  const auto truth = [&](Index item) { return outcome.cases.targets[static_cast<std::size_t>(item)]; };
  results.data.dimension("row", static_cast<std::size_t>(scene.rows));
  results.data.dimension("column", static_cast<std::size_t>(scene.columns));
  results.data.dimension("rgb", 3);
  const auto add = [&](const char* name, const char* meaning, const std::function<double(Index)>& of_item) {
    results.add(name, {"row", "column"}, spread_out(scene, of_item), "1", meaning);
  };
  results.add("picture", {"row", "column", "rgb"}, picture_of(outcome, scene), "1", "S2: red, green, blue");
  results.data.at("picture").attributes["stretch"] = "2 98";
  add("truth", "true class", truth);
  add("answer", "class by the model", answer);
  add("wrong", "where the class is wrong", [&](Index item) { return answer(item) == truth(item) ? 0.0 : 1.0; });
  add("trust_map", "trust in S2", [&](Index item) { return said.trust(item, 1); });
  const std::vector<std::string>& classes = outcome.target.classes;
  std::vector<std::string> numbers;
  for (std::size_t c = 0; c < classes.size(); ++c) numbers.push_back(std::to_string(c));
  for (const char* name : {"truth", "answer"})
    results.data.at(name).attributes = {{"flag_values", flags(numbers)},
                                        {"flag_meanings", flags(classes)},
                                        {"flag_colors", flags(colors_of(classes.size()))}};
  results.data.at("wrong").attributes = {
      {"flag_values", "0 1"}, {"flag_meanings", "right wrong"}, {"flag_colors", "#e8ecef #c0392b"}};
  results.data.at("trust_map").attributes = {{"valid_min", "0"}, {"valid_max", "1"}};
  results.figure({.kind = "image",
                  .name = "maps",
                  .title = "Truth, answer, error",
                  .caption = concat("The tested blocks of scene ", scene.places.front().scene,
                                    "; empty: not tested, or not labelled."),
                  .variables = {"truth", "answer", "wrong"},
                  .x = "column",
                  .y = "row"});
  results.figure({.kind = "image",
                  .name = "trust",
                  .title = "What S2 shows, and how far it is trusted",
                  .caption = "The rest is trust in S1.",
                  .variables = {"picture", "trust_map"},
                  .x = "column",
                  .y = "row",
                  .channel = "rgb"});
}

}  // namespace

void examine_scenes(const StudyOutcome& outcome, Results& results) {
  add_maps(outcome, model::answers_of(outcome, outcome.cases), results);
}

}  // namespace fovea::fusion::flood

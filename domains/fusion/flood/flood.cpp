#include "fovea/domains/fusion/flood/flood.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/fusion/model/fusion_model.hpp"
#include "fovea/domains/fusion/model/lost_sensors.hpp"

namespace fovea::fusion::flood {

namespace {

using datasets::rasters::kNoLabel;

std::vector<Index> indices(const std::vector<std::int64_t>& numbers) { return {numbers.begin(), numbers.end()}; }

}  // namespace

ChoicePlan choice_plan(const Config& config) {
  ChoicePlan plan;
  plan.block = config.integer("data.block"), plan.guard = config.integer("data.guard");
  plan.training = config.integer("data.pixels"), plan.validation = config.integer("data.validation_pixels");
  plan.renditions = config.integer("training.renditions");
  plan.fold = config.integer("data.fold"), plan.examine_others = config.text("data.examine") == "validation";
  return plan;
}

namespace {

/// The first is as it is; the others have clouds of many sizes, announced or not, a shift, and more or less speckle.
std::vector<Rendition> renditions_of(const Config& config, const Random& random) {
  std::vector<Rendition> renditions(1);
  const auto most = static_cast<double>(config.integer("training.shift"));
  for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(config.integer("training.renditions")); ++k) {
    const auto draw = [&](std::uint64_t which) { return random.uniform(k, which); };
    Rendition one;
    one.cover = config.real("training.cover") * (0.5 + draw(0));
    one.cover_side = 5 + static_cast<Index>(40 * draw(1) * draw(1));
    one.paint_side = 3 + static_cast<Index>(28 * draw(6) * draw(6));
    one.announced = k % 2 == 0;
    one.down = static_cast<Index>(std::lround(most * (2 * draw(2) - 1)));
    one.right = static_cast<Index>(std::lround(most * (2 * draw(3) - 1)));
    one.looks = draw(4) < 0.5 ? 0 : config.real("training.looks") * (1 + 3 * draw(5));
    renditions.push_back(one);
  }
  return renditions;
}

/// Cases of the pixels, and what was noticed about the files.
class PixelReader final : public study::CaseReader {
 public:
  PixelReader(study::Cases cases, std::vector<std::string> notes)
      : cases_(study::reader_of(std::move(cases))), notes_(std::move(notes)) {}
  study::Cases read(Index most) override { return cases_->read(most); }
  std::vector<std::string> notes() const override { return notes_; }

 private:
  std::unique_ptr<study::CaseReader> cases_;
  std::vector<std::string> notes_;
};

void check_sides(const Config& config, const char* key, Complaints& complaints) {
  std::int64_t last = 1;
  for (const std::int64_t side : config.integers(key)) {
    if (side % 2 == 0 || side <= last)
      complaints.add(config.source(key), concat(key, " has ", side, ", but must have odd sides in rising order."));
    last = side;
  }
}

class Flood final : public study::LearnedTask {
 public:
  explicit Flood(const Question& question) : question_(question) {}
  std::string_view name() const override { return question_.name; }
  std::string_view summary() const override { return question_.summary; }
  int result_version() const override { return question_.result_version; }
  std::string data_key() const override { return "data.scenes"; }
  bool has_own_model() const override { return true; }
  bool examines_first() const override { return true; }

  void keys(Schema& schema) const override {
    schema.file("data.scenes",
                "list of scenes: CSV scene,s1,s2[,labels][,split][,mask] of GeoTIFFs beside it; none: simulated");
    schema.choice("data.units.s1", "auto", {"auto", "db", "linear"}, "unit of S1; auto: determined from its values");
    schema.choice("data.units.s2", "auto", {"auto", "numbers", "reflectance", "offset"},
                  "unit of S2: 10000 x reflectance, reflectance, or 10000 x reflectance + 1000; auto: determined from "
                  "its values");
    schema.texts("data.bands", {}, "bands of S2 to use; none: those of the first scene");
    schema.texts("data.classes", {}, "numbers of the labels to distinguish; none: those of the training pixels");
    schema.integer("data.side", 96, Range::between(48, 4000), "px", "side of the simulated scenes");
    schema.real("data.cloud", 0.15, Range::between(0, 0.9), "1", "share of simulated pixels under clouds");
    schema.real("data.looks", 4, Range::between(1, 1e6), "1", "looks of the simulated radar; fewer: more speckle");
    schema.integer("data.block", 64, Range::between(8, 4096), "px", "side of the blocks that split a scene");
    schema.integer("data.guard", 4, Range::between(0, 64), "px",
                   "margin inside blocks for validation and test whose pixels are left out");
    schema.choice("data.mask", "hide", {"hide", "examine"},
                  "hide: S2 is missing under the masks of the scenes; examine: it is kept, and the test pixels are "
                  "predicted once more without it there, and once with clouds painted there");
    schema.choice("data.examine", "test", {"test", "validation"},
                  "blocks that are scored; validation: a fifth of the training blocks, in place of the test");
    schema.integer("data.fold", 0, Range::between(0, 4), "", "which fifth of the training blocks is for validation");
    schema.integer("data.pixels", 40000, Range::between(100, 1e7), "", "largest number of training pixels");
    schema.integer("data.validation_pixels", 10000, Range::between(50, 1e7), "", "largest number of validation pixels");
    schema.integers("model.s1_sides", {3, 5, 11, 21}, Range::between(3, 201), "px",
                    "odd sides of the squares around a pixel whose means of S1 it has as inputs");
    schema.integers("model.s2_sides", {5, 11, 21}, Range::between(3, 201), "px", "the same of S2");
    schema.integer("training.renditions", 8, Range::between(0, 1000), "",
                   "altered copies of the training scenes: clouds over S2, S1 shifted, speckle added; half of the "
                   "training pixels are taken from them");
    schema.real(
        "training.cover", 0.4, Range::between(0, 0.6), "1",
        "mean share of clouds in these copies, which hide S2 in one copy and are painted into its values in the next");
    schema.integer("training.shift", 2, Range::between(0, 16), "px", "largest shift of S1 in training");
    schema.real("training.looks", 2, Range::between(1, 1e6), "1", "fewest looks of the speckle that is added");
    model::declare_model(schema);
    if (question_.keys != nullptr) question_.keys(schema);
  }

  void check(const Config& config, Complaints& complaints) const override {
    model::check_model(config, complaints);
    for (const char* key : {"model.s1_sides", "model.s2_sides"}) check_sides(config, key, complaints);
    if (2 * config.integer("data.guard") >= config.integer("data.block"))
      complaints.add(config.source("data.guard"), "data.guard leaves nothing of data.block.");
    for (const std::string& label : config.texts("data.classes"))
      if (label.empty() || label.size() > 5 || label.find_first_not_of("0123456789") != std::string::npos)
        complaints.add(config.source("data.classes"),
                       concat("data.classes has '", label, "', but labels are whole numbers from 0 to 65534."));
  }

  std::unique_ptr<study::StudyModel> model(const Config& config, const study::ModelShape& shape,
                                           learning::Parameters<float>& parameters,
                                           const Random& random) const override {
    return model::make_model(config, shape, parameters, random);
  }

  Config resolved(Config config) const override {
    const bool simulated = config.text("data.scenes").empty();
    const auto keep = [&](const char* key, const std::vector<std::string>& texts) {
      if (config.texts(key).empty()) config.set(key, ConfigValue(texts), {});
    };
    if (simulated) {
      keep("data.bands", kSimulatedBands);
      keep("data.classes", {"0", "1"});
      return config;
    }
    if (config.texts("data.bands").empty()) keep("data.bands", first_bands(config));
    if (config.texts("data.classes").empty()) keep("data.classes", training_labels(config));
    return config;
  }

  study::Target target(const Config& config) const override {
    study::Target target{.kind = study::TargetKind::classes, .name = "class", .classes = config.texts("data.classes")};
    if (target.classes.empty()) target.classes = {"0", "1"};
    target.probability_prefix = "probability_";
    return target;
  }

  std::unique_ptr<study::CaseReader> open(const Config& config, const Random& random) const override {
    std::vector<std::string> notes;
    const std::vector<TrainingScene> scenes = scenes_of(config, random, notes);
    const std::vector<ChosenPixel> chosen = choose_pixels(scenes, choice_plan(config));
    for (const TrainingScene& scene : scenes)
      if (!scene.has_split)
        notes.push_back(concat("scene ", scene.name, " has no split: every third block of ",
                               config.integer("data.block"), " pixels is tested"));
    const Random showing = Random(1).stream("renditions");
    study::Cases cases = cases_of_pixels(scenes, chosen, renditions_of(config, showing), column_plan(config),
                                         class_numbers(config), config.integer("data.block"), showing);
    check_labels(config, scenes, chosen, cases);
    return std::make_unique<PixelReader>(std::move(cases), std::move(notes));
  }

  void examine(const study::StudyOutcome& outcome, Results& results) const override {
    question_.examine(outcome, results);
    model::examine_sensors(outcome, results);
  }

 private:
  static std::vector<std::string> first_bands(const Config& config) {
    const std::string& list = config.text("data.scenes");
    for (const auto& entry : datasets::rasters::read_scene_list(list))
      if (!entry.s2.empty()) return datasets::rasters::Scene(entry, rules_of(scene_reading(config))).facts().s2_bands;
    throw DataError(concat(list, ": no scene has S2, which the model is to learn from; give it."));
  }
  static std::vector<std::string> training_labels(const Config& config) {
    std::vector<std::string> notes;
    const std::vector<TrainingScene> scenes = scenes_of(config, Random(0), notes);
    std::set<std::int32_t> found;
    for (const ChosenPixel& one : choose_pixels(scenes, choice_plan(config)))
      if (one.part == "training") found.insert(scenes[one.scene].shown.labels[one.pixel]);
    if (found.size() < 2)
      throw DataError(concat(config.text("data.scenes"), ": the training pixels have ",
                             counted(std::ssize(found), "label"), "; at least two are needed."));
    std::vector<std::string> labels;
    for (const std::int32_t label : found) labels.push_back(std::to_string(label));
    return labels;
  }
  static void check_labels(const Config& config, const std::vector<TrainingScene>& scenes,
                           const std::vector<ChosenPixel>& chosen, const study::Cases& cases) {
    for (std::size_t k = 0; k < chosen.size(); ++k)
      if (std::isnan(cases.targets[k])) {
        const TrainingScene& scene = scenes[chosen[k].scene];
        throw DataError(concat(config.text("data.scenes"), ": scene ", scene.name, " has the label ",
                               scene.shown.labels[chosen[k].pixel],
                               ", which no training pixel has; take it out (no data), or name it in data.classes."));
      }
  }

  Question question_;
};

constexpr Question kQuestion{"fusion.flood", "where is water, from one image of S1 and one of S2?", 3, nullptr,
                             &examine_flood};

}  // namespace

std::unique_ptr<study::LearnedTask> flood_task(const Question& question) { return std::make_unique<Flood>(question); }

std::unique_ptr<study::LearnedTask> flood_task() { return flood_task(kQuestion); }

ColumnPlan column_plan(const Config& config) {
  return {config.texts("data.bands").empty() ? kSimulatedBands : config.texts("data.bands"),
          indices(config.integers("model.s1_sides")), indices(config.integers("model.s2_sides"))};
}

SceneReading scene_reading(const Config& config) {
  const auto stated = [&](const char* key) { return config.text(key) == "auto" ? "" : config.text(key); };
  return {config.texts("data.bands"), stated("data.units.s1"), stated("data.units.s2"),
          config.text("data.mask") == "hide"};
}

std::vector<std::int32_t> class_numbers(const Config& config) {
  if (config.texts("data.classes").empty()) return {0, 1};
  std::vector<std::int32_t> numbers;
  for (const std::string& label : config.texts("data.classes")) numbers.push_back(std::stoi(label));
  return numbers;
}

std::vector<TrainingScene> scenes_of(const Config& config, const Random& random, std::vector<std::string>& notes) {
  if (config.text("data.scenes").empty())
    return simulated_scenes(config.integer("data.side"), config.real("data.cloud"), config.real("data.looks"), random);
  return read_training_scenes(config.text("data.scenes"), scene_reading(config), notes);
}

}  // namespace fovea::fusion::flood

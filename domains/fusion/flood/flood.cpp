#include "fovea/domains/fusion/flood/flood.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/fusion/model/fusion_task.hpp"
#include "fovea/domains/fusion/model/lost_sensors.hpp"

namespace fovea::fusion::flood {

namespace {

using datasets::rasters::kNoLabel;

const std::vector<std::string> kSimulatedClasses{"0", "1"};

/// The first is as it is; the others have clouds of many sizes, announced or not, a shift, and more or less speckle.
std::vector<Rendition> renditions_of(const FloodSettings& settings, const Random& random) {
  std::vector<Rendition> renditions(1);
  const auto most = static_cast<double>(settings.added_shift);
  for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(settings.choice.renditions); ++k) {
    const auto draw = [&](std::uint64_t which) { return random.uniform(k, which); };
    Rendition one;
    one.cover = settings.added_cover * (0.5 + draw(0));
    one.cover_side = 5 + static_cast<Index>(40 * draw(1) * draw(1));
    one.paint_side = 3 + static_cast<Index>(28 * draw(6) * draw(6));
    one.announced = k % 2 == 0;
    one.down = static_cast<Index>(std::lround(most * (2 * draw(2) - 1)));
    one.right = static_cast<Index>(std::lround(most * (2 * draw(3) - 1)));
    one.looks = draw(4) < 0.5 ? 0 : settings.added_looks * (1 + 3 * draw(5));
    renditions.push_back(one);
  }
  return renditions;
}

void check_sides(const char* key, const std::vector<Index>& sides, const Complain& complain) {
  Index last = 1;
  for (const Index side : sides) {
    if (side % 2 == 0 || side <= last)
      complain(key, concat(key, " has ", side, ", but must have odd sides in rising order."));
    last = side;
  }
}

class Flood final : public model::FusionTask<FloodSettings> {
 public:
  explicit Flood(const Question& question) : FusionTask(flood_keys()), question_(question) {}
  std::string_view name() const override { return question_.name; }
  std::string_view summary() const override { return question_.summary; }
  int result_version() const override { return question_.result_version; }
  std::string data_key() const override { return "data.scenes"; }

  void keys(Schema& schema) const override {
    FusionTask::keys(schema);
    if (question_.keys != nullptr) question_.keys(schema);
  }

  void check_settings(const FloodSettings& settings, const Complain& complain) const override {
    check_sides("model.s1_sides", settings.columns.s1_sides, complain);
    check_sides("model.s2_sides", settings.columns.s2_sides, complain);
    if (settings.simulation.tested == 1)
      complain("data.tested", "data.tested is 1, but intervals over scenes need two; use 0 to test blocks.");
    if (2 * settings.choice.guard >= settings.choice.block)
      complain("data.guard", "data.guard leaves nothing of data.block.");
    for (const std::string& label : settings.classes)
      if (label.empty() || label.size() > 5 || label.find_first_not_of("0123456789") != std::string::npos)
        complain("data.classes",
                 concat("data.classes has '", label, "', but labels are whole numbers from 0 to 65534."));
  }

  model::Named names_in_data(const FloodSettings& settings) const override {
    if (settings.simulated()) return {kSimulatedClasses, kSimulatedBands};
    FloodSettings named = settings;
    if (named.reading.s2_bands.empty()) named.reading.s2_bands = first_bands(settings);
    if (named.classes.empty()) named.classes = training_labels(named);
    return {named.classes, named.reading.s2_bands};
  }

  study::Target target_of(const FloodSettings& settings) const override {
    return model::target_of_classes("class", settings.classes.empty() ? kSimulatedClasses : settings.classes);
  }

  std::unique_ptr<study::CaseReader> open_cases(const FloodSettings& settings, const Random& random) const override {
    std::vector<std::string> notes;
    const std::vector<TrainingScene> scenes = scenes_of(settings, random, notes);
    const std::vector<ChosenPixel> chosen = choose_pixels(scenes, settings.choice);
    for (const TrainingScene& scene : scenes)
      if (!scene.has_split)
        notes.push_back(concat("scene ", scene.name, " has no split: every third block of ", settings.choice.block,
                               " pixels is tested"));
    const Random showing = Random(1).stream("renditions");
    study::Cases cases = cases_of_pixels(scenes, chosen, renditions_of(settings, showing), settings.column_plan(),
                                         settings.class_numbers(), settings.choice.block, showing);
    check_labels(settings.scenes, scenes, chosen, cases);
    return model::reader_with(std::move(cases), reading_of(settings, scenes, chosen, std::move(notes)));
  }

  void examine(const study::StudyOutcome& outcome, Results& results) const override {
    question_.examine(outcome, results);
    model::examine_sensors(outcome, results);
  }

 private:
  static std::vector<std::string> first_bands(const FloodSettings& settings) {
    const auto listed = datasets::rasters::read_scene_list(settings.scenes);
    std::vector<std::string> bands, notes;
    for (const auto& entry : listed)
      if (!entry.s2.empty() && reads_scene(entry.name, listed.size(), settings.reading, notes, [&] {
            bands = datasets::rasters::Scene(entry, rules_of(settings.reading)).facts().s2_bands;
          }))
        return bands;
    throw DataError(concat(settings.scenes, ": no scene has S2, which the model is to learn from; give it."));
  }
  static std::set<std::int32_t> labels_that_teach(const FloodSettings& settings) {
    std::vector<std::string> notes;
    const std::vector<TrainingScene> scenes = scenes_of(settings, Random(0), notes);
    std::set<std::int32_t> found;
    for (const ChosenPixel& one : choose_pixels(scenes, settings.choice))
      if (one.part == "training") found.insert(scenes[one.scene].shown.labels[one.pixel]);
    return found;
  }
  static std::vector<std::string> training_labels(const FloodSettings& settings) {
    const std::set<std::int32_t> found = labels_that_teach(settings);
    if (found.size() < 2) {
      FloodSettings with_255 = settings;
      with_255.reading.byte_255_is_class = true;
      const bool hidden = labels_that_teach(with_255).contains(255);
      const std::string only = found.empty() ? "" : concat(" (", *found.begin(), ")");
      throw DataError(concat(settings.scenes, ": the training pixels have ", counted(std::ssize(found), "label"), only,
                             hidden && !found.empty()
                                 ? concat("; 255 of a byte counts as no label, unless data.classes names it (--set ",
                                          "'data.classes=[\"", *found.begin(), "\", \"255\"]').")
                                 : "; at least two are needed."));
    }
    std::vector<std::string> labels;
    for (const std::int32_t label : found) labels.push_back(std::to_string(label));
    return labels;
  }
  static void check_labels(const std::string& list, const std::vector<TrainingScene>& scenes,
                           const std::vector<ChosenPixel>& chosen, const study::Cases& cases) {
    for (std::size_t k = 0; k < chosen.size(); ++k)
      if (std::isnan(cases.targets[k])) {
        const TrainingScene& scene = scenes[chosen[k].scene];
        throw DataError(concat(list, ": scene ", scene.name, " has the label ", scene.shown.labels[chosen[k].pixel],
                               ", which no training pixel has; take it out (no data), or name it in data.classes."));
      }
  }

  Question question_;
};

constexpr Question kQuestion{"fusion.flood", "where is water, from one image of S1 and one of S2?", 4, nullptr,
                             &examine_flood};

}  // namespace

std::unique_ptr<study::LearnedTask> flood_task(const Question& question) { return std::make_unique<Flood>(question); }

std::unique_ptr<study::LearnedTask> flood_task() { return flood_task(kQuestion); }

ColumnPlan FloodSettings::column_plan() const {
  ColumnPlan plan = columns;
  plan.s2_bands = reading.s2_bands.empty() ? kSimulatedBands : reading.s2_bands;
  return plan;
}

const DataKeys<FloodSettings>& flood_keys() {
  using S = FloodSettings;
  static const auto simulated =
      Keys<S>()
          .key(kSide.within(Range::between(48, 4000)), inside(&S::simulation, &SimulatedPlan::side))
          .key(kCloud.within(Range::between(0, 0.25)), inside(&S::simulation, &SimulatedPlan::cloud))
          .key(kLooks, inside(&S::simulation, &SimulatedPlan::looks))
          .key("data.teaching", inside(&S::simulation, &SimulatedPlan::teaching), Range::between(1, 1000), "",
               "simulated scenes that teach")
          .added_later()
          .key("data.tested", inside(&S::simulation, &SimulatedPlan::tested), Range::between(0, 1000), "",
               "simulated scenes that are tested whole; 0: every third block of those that teach is tested")
          .added_later();
  static const DataKeys<S> keys{
      Keys<S>()
          .file(kScenes, &S::scenes)
          .group(reading_keys(), &S::reading)
          .key(kClasses, &S::classes)
          .also([](Schema& schema) { simulated.declare(schema); })
          .key(kBlock, inside(&S::choice, &ChoicePlan::block))
          .key(kGuard, inside(&S::choice, &ChoicePlan::guard))
          .choice("data.mask", inside(&S::reading, &SceneReading::mask_hides), {{"hide", true}, {"examine", false}},
                  "hide: S2 is missing under the masks of the scenes; examine: it is kept, and the test pixels are "
                  "predicted once more without it there, and once with clouds painted there")
          .key("data.label_band", inside(&S::reading, &SceneReading::label_band), Range::between(0, 4096), "",
               "which band of the maps of labels is read, from 1; 0: they have one")
          .choice(kExamine, inside(&S::choice, &ChoicePlan::examine_others))
          .key("data.fold", inside(&S::choice, &ChoicePlan::fold), Range::between(0, 4), "",
               "which fifth of the training blocks is for validation")
          .key("data.pixels", inside(&S::choice, &ChoicePlan::training), Range::between(100, 1e7), "",
               "largest number of training pixels")
          .key("data.validation_pixels", inside(&S::choice, &ChoicePlan::validation), Range::between(50, 1e7), "",
               "largest number of validation pixels")
          .key("model.s1_sides", inside(&S::columns, &ColumnPlan::s1_sides), Range::between(3, 201), "px",
               "odd sides of the squares around a pixel whose means of S1 it has as inputs")
          .key("model.s2_sides", inside(&S::columns, &ColumnPlan::s2_sides), Range::between(3, 201), "px",
               "the same of S2")
          .key("training.renditions", inside(&S::choice, &ChoicePlan::renditions), Range::between(0, 1000), "",
               "altered copies of the training scenes: clouds over S2, S1 shifted, speckle added; half of the "
               "training pixels are taken from them")
          .key("training.cover", &S::added_cover, Range::between(0, 0.6), "1",
               "mean share of clouds in these copies, which hide S2 in one copy and are painted into its values in "
               "the next")
          .key(kShift, &S::added_shift)
          .key("training.looks", &S::added_looks, Range::between(1, 1e6), "1",
               "fewest looks of the speckle that is added"),
      simulated};
  return keys;
}

std::vector<std::int32_t> FloodSettings::class_numbers() const {
  if (classes.empty()) return {0, 1};
  std::vector<std::int32_t> numbers;
  for (const std::string& label : classes) numbers.push_back(std::stoi(label));
  return numbers;
}

std::vector<TrainingScene> scenes_of(const FloodSettings& settings, const Random& random,
                                     std::vector<std::string>& notes) {
  if (settings.simulated()) return simulated_scenes(settings.simulation, random);
  SceneReading reading = settings.reading;
  reading.byte_255_is_class |=
      std::find(settings.classes.begin(), settings.classes.end(), "255") != settings.classes.end();
  return read_training_scenes(settings.scenes, reading, notes);
}

}  // namespace fovea::fusion::flood

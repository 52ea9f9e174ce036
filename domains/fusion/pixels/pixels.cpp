/// The experiment "fusion.pixels": what grows on each pixel of a stack of dates of Sentinel-1 and Sentinel-2.

#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/study/model/shared_keys.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/domains/fusion/crops/field_cases.hpp"
#include "fovea/domains/fusion/experiments.hpp"
#include "fovea/domains/fusion/maps/stack_maps.hpp"
#include "fovea/domains/fusion/model/answer_maps.hpp"
#include "fovea/domains/fusion/model/fusion_task.hpp"
#include "fovea/domains/fusion/model/lost_sensors.hpp"
#include "fovea/domains/fusion/model/trust_scores.hpp"
#include "fovea/domains/fusion/pixels/pixel_cases.hpp"
#include "fovea/domains/fusion/shared_keys.hpp"

namespace fovea::fusion::pixels {

namespace {

namespace made = datasets::simulated::stacks;
using datasets::rasters::Stack;
using study::StudyOutcome;

const std::vector<std::string> kStackBandNames{"B02", "B03", "B04", "B08", "B11"};
const std::vector<std::string> kMapColors{"#d8a62f", "#6aa84f", "#8a5a9e", "#2f6f9f", "#b5473c", "#7a5230",
                                          "#4fa8a3", "#9a9a9a", "#1f4d2b", "#e58fb1", "#c8d14f", "#34495e"};

std::vector<std::string> simulated_classes() {
  std::vector<std::string> classes;
  for (Index c = 0; c < made::kStackCrops; ++c) classes.push_back(std::to_string(c + 1));
  return classes;
}

struct PixelSettings {
  std::string file, label = "CT";
  PixelRules rules{{}, {}, {3, 5}, {}};
  Index class_pixels = 50;
  double step = 30;  ///< days of a window
  Index side = 48;   ///< of the simulated stack
  std::optional<datasets::rasters::OpticalUnit> s2_unit;
  bool leave_out_bad = false;
  bool simulated() const { return file.empty(); }
};

const DataKeys<PixelSettings>& pixel_keys() {
  using S = PixelSettings;
  static const auto simulated = Keys<S>().key(kSide.within(Range::between(16, 1000)), &S::side);
  static const DataKeys<S> keys{
      Keys<S>()
          .file(study::kDataFile, &S::file,
                "stack of dates (HDF5, datasets/rasters/stacks.hpp); none: a stack is simulated")
          .key(kLabel, &S::label,
               "the map of labels in the file's group label; 0 is no label, and 255 of a byte is none unless "
               "data.classes "
               "names it")
          .key(kClasses, inside(&S::rules, &PixelRules::classes),
               "classes to distinguish; none: those of at least data.class_pixels pixels")
          .key(kBands, inside(&S::rules, &PixelRules::bands))
          .choice("data.units.s2", &S::s2_unit,
                  {{"auto", std::nullopt},
                   {"numbers", datasets::rasters::OpticalUnit::numbers},
                   {"offset", datasets::rasters::OpticalUnit::offset_numbers}},
                  "unit of S2: 10000 x reflectance, or 10000 x reflectance + 1000; auto: determined from its values")
          .key("data.class_pixels", &S::class_pixels, Range::between(1, 1e9), "px", "pixels that a class must have")
          .key("data.step", &S::step, Range::between(1, 400), "d",
               "length of the time windows that are composited to one date each")
          .key("data.means", inside(&S::rules, &PixelRules::means), Range::between(3, 101), "px",
               "odd sides of the squares around a pixel whose means are inputs besides its own values")
          .key(kBlock.within(Range::between(1, 10000)), inside(&S::rules, &PixelRules::blocks, &BlockRules::side),
               "side of the squares of pixels that split the stack, where the file has no map split")
          .key(kGuard.within(Range::between(0, 1000)), inside(&S::rules, &PixelRules::blocks, &BlockRules::guard),
               "margin around test squares that is left out")
          .also([](Schema& schema) { simulated.declare(schema); })
          .choice(study::kDataBad, &S::leave_out_bad)
          .added_later(),
      simulated};
  return keys;
}

/// Labels of the pixels; 0 is none. None where the file has no such map.
std::vector<std::int64_t> labels_of(const Stack& file, const std::string& name, const Composites& stack) {
  if (!file.has_map("label/" + name)) return {};
  const Matrix<std::int32_t> map = file.map("label/" + name);
  if (map.rows() != stack.rows || map.cols() != stack.columns)
    throw DataError(concat(file.path(), ": /label/", name, " has ", map.rows(), " x ", map.cols(),
                           " pixels, but the finest images have ", stack.rows, " x ", stack.columns,
                           "; give labels on that grid, or none where pixels are only predicted."));
  return {map.data(), map.data() + map.size()};
}

std::vector<Part> parts_of(const Stack& file, const Composites& stack, const BlockRules& rules) {
  if (!file.has_map("split")) return block_parts(stack.rows, stack.columns, rules);
  const Matrix<std::int32_t> map = file.map("split");
  if (map.rows() != stack.rows || map.cols() != stack.columns)
    throw DataError(concat(file.path(), ": /split has ", map.rows(), " x ", map.cols(),
                           " pixels, but the finest images have ", stack.rows, " x ", stack.columns, "."));
  return given_parts(map, rules);
}

std::unique_ptr<study::CaseReader> simulated(const PixelSettings& settings, const Random& random) {
  made::CloudedStackPlan plan;
  plan.rows = plan.columns = settings.side;
  plan.field = std::max<Index>(1, settings.rules.blocks.side / 2);  // so that many are on either side
  plan.noise = 0.04, plan.shift_days = 15, plan.looks = 4;
  const made::CloudedStack stack = made::clouded_stack(plan, random);
  std::vector<std::int64_t> labels;
  for (const Index crop : stack.crops) labels.push_back(crop + 1);
  std::vector<Part> parts = block_parts(plan.rows, plan.columns, settings.rules.blocks);
  return pixel_reader(composites(plan, stack, settings.step), std::move(labels), std::move(parts), settings.rules);
}

/// Maps of the stack over row and column: the truth; where it was tested, answer, error and trust.
class Maps {
 public:
  explicit Maps(const StudyOutcome& outcome) : outcome_(outcome) {
    for (const std::string& id : outcome.cases.ids) {
      const std::size_t gap = id.find('_');
      rows_.push_back(std::stol(id.substr(0, gap))), columns_.push_back(std::stol(id.substr(gap + 1)));
    }
    high_ = 1 + *std::max_element(rows_.begin(), rows_.end());
    wide_ = 1 + *std::max_element(columns_.begin(), columns_.end());
  }

  void add(const model::SensorAnswers& said, Results& results) const {
    std::vector<model::MapPoint> points(high_ * wide_);
    const std::vector<double>& targets = outcome_.cases.targets;
    for (std::size_t i = 0; i < targets.size(); ++i) points[place(i)].truth = targets[i];
    for (const Index item : outcome_.split.test)
      if (!std::isnan(targets[item]) && outcome_.cases.size(item) > 0)
        points[place(item)] = model::map_point(targets[item], said, item);
    results.data.dimension("row", high_);
    results.data.dimension("column", wide_);
    model::add_answer_maps(points, outcome_.target.classes, kMapColors, results);
    results.figure({.kind = "image",
                    .name = "maps",
                    .title = "What grows where, and the model's answer for test pixels",
                    .caption = "Squares of pixels are tested; a guard keeps them apart from those that are learned. "
                               "Entropy: 0 is sure.",
                    .variables = {"truth", "answer", "wrong", "entropy_map"},
                    .x = "column",
                    .y = "row"});
    add_trust_map(results);
  }

 private:
  /// Red, green and blue, means over the dates of S2, beside the trust in it; trust alone without these bands.
  void add_trust_map(Results& results) const {
    Figure figure{.kind = "image",
                  .name = "trust",
                  .title = "What S2 shows, and how far it is trusted",
                  .caption =
                      "S2: mean of the images that the model is shown. Trust in S2 of the tested pixels; the rest "
                      "is trust in S1.",
                  .variables = {"trust_map"},
                  .x = "column",
                  .y = "row"};
    std::vector<double> picture(high_ * wide_ * 3, kNan);
    if (paint(picture)) {
      results.data.dimension("rgb", 3);
      results.add("picture", {"row", "column", "rgb"}, picture, "1", "S2: red, green, blue");
      results.data.at("picture").attributes["stretch"] = "2 98";
      figure.variables.insert(figure.variables.begin(), "picture"), figure.channel = "rgb";
    } else {
      figure.title = "Whom the arbiter trusts";
      figure.caption = "Trust in S2 of the tested pixels; the rest is trust in S1.";
    }
    results.figure(std::move(figure));
  }

  /// Whether the bands are there, and some pixel has them.
  bool paint(std::vector<double>& picture) const {
    const study::Cases& cases = outcome_.cases;
    bool painted = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto found = std::find_if(cases.features.begin(), cases.features.end(), [&](const study::Feature& one) {
        return one.name == std::array{"B04", "B03", "B02"}[k];
      });
      if (found == cases.features.end()) return false;
      const Index column = found - cases.features.begin();
      for (std::size_t i = 0; i < cases.ids.size(); ++i) {
        double sum = 0, dates = 0;
        for (Index token = cases.offsets[i]; token < cases.offsets[i + 1]; ++token)
          if (cases.kinds[token] == 1) sum += static_cast<double>(cases.values(token, column)), ++dates;
        if (dates > 0) picture[3 * place(i) + k] = sum / dates, painted = true;
      }
    }
    return painted;
  }

  std::size_t place(std::size_t item) const { return rows_[item] * wide_ + columns_[item]; }

  const StudyOutcome& outcome_;
  std::vector<Index> rows_, columns_;
  Index high_ = 0, wide_ = 0;
};

class Pixels final : public model::FusionTask<PixelSettings> {
 public:
  Pixels() : FusionTask(pixel_keys()) {}
  std::string_view name() const override { return "fusion.pixels"; }
  std::string_view summary() const override { return "what grows on each pixel of a stack of S1 and S2?"; }
  int result_version() const override { return 2; }
  std::string id_column() const override { return "pixel"; }

  PixelSettings settings_of(const Config& config) const override {
    PixelSettings settings = pixel_keys().read(config);
    settings.rules.blocks.validation = config.real("split.validation");
    return settings;
  }

  void check_settings(const PixelSettings& settings, const Complain& complain) const override {
    for (const Index side : settings.rules.means)
      if (side % 2 == 0) complain("data.means", concat("data.means has ", side, ", but sides must be odd."));
  }

  model::Named names_in_data(const PixelSettings& settings) const override {
    const std::string &path = settings.file, &label = settings.label;
    if (settings.simulated()) return {simulated_classes(), kStackBandNames};
    const Stack file{Place(path)};
    if (!file.has_map("label/" + label))
      throw DataError(concat(path, ": has no map /label/", label, " to learn from; name it by data.label."));
    const Matrix<std::int32_t> map = file.map("label/" + label);
    datasets::fields::FieldSeries counted;
    counted.labels.assign(map.data(), map.data() + map.size());
    auto classes = crops::frequent_labels(counted, settings.class_pixels);
    std::erase_if(classes, [&](const std::string& name) {
      return name == "0" || (name == "255" && file.is_map_of_bytes("label/" + label));
    });
    if (settings.rules.classes.empty() && classes.size() < 2)
      throw DataError(concat(path, ": only ", classes.size(), " labels of /label/", label, " have ",
                             settings.class_pixels,
                             " pixels or more; at least two are needed. Lower data.class_pixels."));
    std::vector<std::string> bands = file.r10m().bands;
    bands.insert(bands.end(), file.r20m().bands.begin(), file.r20m().bands.end());
    return {classes, bands};
  }

  study::Target target_of(const PixelSettings& settings) const override {
    const std::vector<std::string>& named = settings.rules.classes;
    return model::target_of_classes(settings.label, named.empty() ? simulated_classes() : named);
  }

  std::unique_ptr<study::CaseReader> open_cases(const PixelSettings& settings, const Random& random) const override {
    if (settings.simulated()) return simulated(settings, random);
    Stack file{Place(settings.file)};
    file.may_leave_out(settings.leave_out_bad);
    file.settle_units(settings.s2_unit);
    Composites stack = composites(file, settings.step);
    if (settings.s2_unit) stack.s2_known_by = "the key data.units.s2";
    std::vector<std::int64_t> labels = labels_of(file, settings.label, stack);
    std::vector<Part> parts = parts_of(file, stack, settings.rules.blocks);
    const std::vector<std::string>& classes = settings.rules.classes;
    if (std::find(labels.begin(), labels.end(), 255) != labels.end() &&
        std::find(classes.begin(), classes.end(), "255") == classes.end())
      stack.notes.push_back(concat(settings.file, ": the label 255 is none of the classes (data.classes)"));
    return pixel_reader(std::move(stack), std::move(labels), std::move(parts), settings.rules);
  }

  void examine(const StudyOutcome& outcome, Results& results) const override {
    model::examine_sensors(outcome, results);
    const model::SensorAnswers said = model::answers_of(outcome, outcome.cases);
    Maps(outcome).add(said, results);
    model::examine_trust(outcome, said, "pixels", results);
  }
};

class PixelsStudy final : public model::SensorStudy {
 public:
  PixelsStudy()
      : SensorStudy(std::make_unique<Pixels>(), "sensors_accuracy", "Share of the tested pixels that get their class") {
  }
  const Predictor* predictor(std::string_view output) const override {
    return maps::is_raster_name(std::string(output)) ? &maps_ : study::Study::predictor(output);
  }

 private:
  study::MapsPredictor maps_{task(), [this](const study::TrainedModel& model, const study::MapRequest& request) {
                               return maps::write_stack_map(task(), model, request);
                             }};
};

}  // namespace

std::unique_ptr<Experiment> make_pixels() { return std::make_unique<PixelsStudy>(); }

}  // namespace fovea::fusion::pixels

/// The experiment "fusion.crops": which crop grows on a field, from series of Sentinel-1 and Sentinel-2 with gaps.

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/datasets/fields/made_fields.hpp"
#include "fovea/domains/fusion/crops/field_cases.hpp"
#include "fovea/domains/fusion/experiments.hpp"
#include "fovea/domains/fusion/model/fusion_model.hpp"
#include "fovea/domains/fusion/model/lost_sensors.hpp"
#include "fovea/domains/fusion/model/trust_scores.hpp"

namespace fovea::fusion::crops {

namespace {

using datasets::fields::FieldSeries;

const std::vector<std::string> kSimulatedBands{"B04", "B08", "B11"};

/// Says how many fields have nothing to answer from.
class FieldReader final : public study::CaseReader {
 public:
  explicit FieldReader(study::Cases cases) {
    Index empty = 0;
    for (Index i = 0; i < cases.count(); ++i) empty += cases.size(i) == 0 ? 1 : 0;
    if (empty > 0)
      notes_.push_back(concat(counted(empty, "field"), " without a date of either sensor, predicted from no data"));
    reader_ = study::reader_of(std::move(cases));
  }
  study::Cases read(Index most) override { return reader_->read(most); }
  std::vector<std::string> notes() const override { return notes_; }

 private:
  std::unique_ptr<study::CaseReader> reader_;
  std::vector<std::string> notes_;
};

class Crops final : public study::LearnedTask {
 public:
  std::string_view name() const override { return "fusion.crops"; }
  std::string_view summary() const override { return "which crop grows on a field, from S1 and S2 with gaps?"; }
  int result_version() const override { return 3; }

  void keys(Schema& schema) const override {
    schema.file("data.file", "series of fields (HDF5, datasets/fields/field_series.hpp); none: fields are simulated");
    schema.text("data.label", "class4", "the array of labels in the file");
    schema.texts("data.classes", {}, "classes to distinguish; none: those of at least data.class_fields fields");
    schema.texts("data.bands", {}, "bands of S2 to use; none: all of the file");
    schema.integer("data.class_fields", 25, Range::between(1, 1e9), "", "fields that a class must have");
    schema.integer("data.fields", 400, Range::between(20, 1e6), "", "simulated fields");
    schema.real("data.cloud", 0.45, Range::between(0, 1), "",
                "share of the dates of simulated fields that clouds hide");
    schema.integer("training.folds", 5, Range::between(0, 100), "",
                   "folds of the file that are tested in turn; 0: none, all fields train one model");
    model::declare_model(schema);
  }
  void check(const Config& config, Complaints& complaints) const override { model::check_model(config, complaints); }
  std::string id_column() const override { return "sample_id"; }
  bool has_own_model() const override { return true; }
  std::unique_ptr<study::StudyModel> model(const Config& config, const study::ModelShape& shape,
                                           learning::Parameters<float>& parameters,
                                           const Random& random) const override {
    return model::make_model(config, shape, parameters, random);
  }

  Config resolved(Config config) const override {
    const std::string& file = config.text("data.file");
    const auto keep = [&](const char* key, const std::vector<std::string>& texts) {
      if (config.texts(key).empty()) config.set(key, ConfigValue(texts), {});
    };
    if (file.empty()) {
      keep("data.classes", datasets::fields::kCropNames);
      keep("data.bands", kSimulatedBands);
      return config;
    }
    const std::string& label = config.text("data.label");
    const FieldSeries series = datasets::fields::read_field_series(file, label);
    if (series.labels.empty())
      throw DataError(concat(file, ": has no array '", label, "' of labels to learn from; name it by data.label."));
    const auto classes = frequent_labels(series, config.integer("data.class_fields"));
    if (config.texts("data.classes").empty() && classes.size() < 2)
      throw DataError(concat(file, ": only ", classes.size(), " labels have ", config.integer("data.class_fields"),
                             " fields or more; at least two are needed. Lower data.class_fields."));
    keep("data.classes", classes);
    keep("data.bands", series.s2.bands);
    return config;
  }

  study::Target target(const Config& config) const override {
    study::Target target{
        .kind = study::TargetKind::classes, .name = config.text("data.label"), .classes = config.texts("data.classes")};
    if (target.classes.empty()) target.classes = datasets::fields::kCropNames;
    target.probability_prefix = "probability_";
    return target;
  }

  std::unique_ptr<study::CaseReader> open(const Config& config, const Random& random) const override {
    const std::string& file = config.text("data.file");
    const std::vector<std::string>& bands = config.texts("data.bands");
    if (!file.empty()) {
      const FieldSeries series = datasets::fields::read_field_series(file, config.text("data.label"));
      study::Cases cases = cases_of_fields(file, series, bands, config.texts("data.classes"));
      if (config.integer("training.folds") == 0) cases.folds.clear();
      return std::make_unique<FieldReader>(std::move(cases));
    }
    datasets::fields::CropFieldSettings settings;
    settings.cloud = config.real("data.cloud");
    const FieldSeries series = datasets::fields::crop_fields(config.integer("data.fields"), settings, random);
    std::vector<std::string> numbers;
    for (std::size_t c = 0; c < datasets::fields::kCropNames.size(); ++c) numbers.push_back(std::to_string(c));
    return study::reader_of(cases_of_fields("the simulated fields", series, kSimulatedBands, numbers));
  }

  void examine(const study::StudyOutcome& outcome, Results& results) const override {
    model::examine_sensors(outcome, results);
    model::examine_trust(outcome, model::answers_of(outcome, outcome.cases), "fields", results);
  }
  bool examines_first() const override { return true; }
};

/// Its verdict is what remains when a sensor is lost.
class CropsStudy final : public study::Study {
 public:
  CropsStudy() : study::Study(std::make_unique<Crops>()) {}
  void conclude(Results& merged) const override {
    study::Study::conclude(merged);
    if (!merged.data.has("sensors_accuracy")) return;
    const View accuracy = view(merged.data, "sensors_accuracy");
    const auto of = [&](std::size_t k) { return rounded_text(accuracy.at({{"sensors", k}}).mean().mean, 3); };
    merged.verdict(concat("With both sensors ", of(0), " of the tested fields get their crop; with S2 taken away ",
                          of(1), ", with S1 taken away ", of(2), "."));
  }
};

}  // namespace

std::unique_ptr<Experiment> make_crops() { return std::make_unique<CropsStudy>(); }

}  // namespace fovea::fusion::crops

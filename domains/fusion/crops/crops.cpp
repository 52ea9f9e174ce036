/// The experiment "fusion.crops": which crop grows on a field, from series of Sentinel-1 and Sentinel-2 with gaps.

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
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

struct CropSettings {
  std::string file, label = "class4";
  std::vector<std::string> classes, bands;
  Index class_fields = 25;
  Index fields = 400;  ///< simulated ones
  double cloud = 0.45;
  Index folds = 5;
};

const Keys<CropSettings>& crop_keys() {
  using S = CropSettings;
  static const auto keys =
      Keys<S>()
          .file("data.file", &S::file,
                "series of fields (HDF5, datasets/fields/field_series.hpp); none: fields are simulated")
          .key("data.label", &S::label, "the array of labels in the file")
          .key("data.classes", &S::classes, "classes to distinguish; none: those of at least data.class_fields fields")
          .key("data.bands", &S::bands, "bands of S2 to use; none: all of the file")
          .key("data.class_fields", &S::class_fields, Range::between(1, 1e9), "", "fields that a class must have")
          .key("data.fields", &S::fields, Range::between(20, 1e6), "", "simulated fields")
          .key("data.cloud", &S::cloud, Range::between(0, 1), "",
               "share of the dates of simulated fields that clouds hide")
          .key("training.folds", &S::folds, Range::between(0, 100), "",
               "folds of the file that are tested in turn; 0: none, all fields train one model");
  return keys;
}

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

class Crops final : public model::FusionTask {
 public:
  std::string_view name() const override { return "fusion.crops"; }
  std::string_view summary() const override { return "which crop grows on a field, from S1 and S2 with gaps?"; }
  int result_version() const override { return 3; }

  void keys(Schema& schema) const override {
    crop_keys().declare(schema);
    model::model_keys().declare(schema);
  }
  std::string id_column() const override { return "sample_id"; }

  Config resolved(Config config) const override {
    const CropSettings settings = crop_keys().read(config);
    if (settings.file.empty()) {
      complete(config, "data.classes", datasets::fields::kCropNames);
      complete(config, "data.bands", kSimulatedBands);
      return config;
    }
    const FieldSeries series = datasets::fields::read_field_series(settings.file, settings.label);
    if (series.labels.empty())
      throw DataError(concat(settings.file, ": has no array '", settings.label,
                             "' of labels to learn from; name it by data.label."));
    const auto classes = frequent_labels(series, settings.class_fields);
    if (settings.classes.empty() && classes.size() < 2)
      throw DataError(concat(settings.file, ": only ", classes.size(), " labels have ", settings.class_fields,
                             " fields or more; at least two are needed. Lower data.class_fields."));
    complete(config, "data.classes", classes);
    complete(config, "data.bands", series.s2.bands);
    return config;
  }

  study::Target target(const Config& config) const override {
    const CropSettings settings = crop_keys().read(config);
    return classes(settings.label, settings.classes.empty() ? datasets::fields::kCropNames : settings.classes);
  }

  std::unique_ptr<study::CaseReader> open(const Config& config, const Random& random) const override {
    const CropSettings settings = crop_keys().read(config);
    if (!settings.file.empty()) {
      const FieldSeries series = datasets::fields::read_field_series(settings.file, settings.label);
      study::Cases cases = cases_of_fields(settings.file, series, settings.bands, settings.classes);
      if (settings.folds == 0) cases.folds.clear();
      return std::make_unique<FieldReader>(std::move(cases));
    }
    const FieldSeries series = datasets::fields::crop_fields(settings.fields, {.cloud = settings.cloud}, random);
    std::vector<std::string> numbers;
    for (std::size_t c = 0; c < datasets::fields::kCropNames.size(); ++c) numbers.push_back(std::to_string(c));
    return study::reader_of(cases_of_fields("the simulated fields", series, kSimulatedBands, numbers));
  }

  void examine(const study::StudyOutcome& outcome, Results& results) const override {
    model::examine_sensors(outcome, results);
    model::examine_trust(outcome, model::answers_of(outcome, outcome.cases), "fields", results);
  }
};

/// Its verdict is what remains when a sensor is lost.
class CropsStudy final : public study::Study {
 public:
  CropsStudy() : study::Study(std::make_unique<Crops>()) {}
  void conclude(Results& merged) const override {
    study::Study::conclude(merged);
    model::conclude_sensors("sensors_accuracy", "Share of the tested fields that get their crop", merged);
  }
};

}  // namespace

std::unique_ptr<Experiment> make_crops() { return std::make_unique<CropsStudy>(); }

}  // namespace fovea::fusion::crops

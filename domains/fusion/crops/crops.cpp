/// The experiment "fusion.crops": which crop grows on a field, from series of Sentinel-1 and Sentinel-2 with gaps.

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/study/model/shared_keys.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/datasets/fields/made_fields.hpp"
#include "fovea/domains/fusion/crops/field_cases.hpp"
#include "fovea/domains/fusion/experiments.hpp"
#include "fovea/domains/fusion/model/fusion_task.hpp"
#include "fovea/domains/fusion/model/lost_sensors.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"
#include "fovea/domains/fusion/model/trust_scores.hpp"
#include "fovea/domains/fusion/shared_keys.hpp"

namespace fovea::fusion::crops {

namespace {

using datasets::fields::FieldSeries;

const std::vector<std::string> kSimulatedBands{"B04", "B08", "B11"};

struct CropSettings {
  std::string file, label = "class4";
  std::vector<std::string> classes, bands;
  Index class_fields = 25;
  bool leave_out_bad = false;
  Index fields = 400;  ///< simulated ones
  double cloud = 0.45;
  Index folds = 5;
  bool simulated() const { return file.empty(); }
};

const DataKeys<CropSettings>& crop_keys() {
  using S = CropSettings;
  static const auto simulated = Keys<S>()
                                    .key("data.fields", &S::fields, Range::between(20, 1e6), "", "simulated fields")
                                    .key(kCloud.within(Range::between(0, 1)), &S::cloud,
                                         "share of the dates of simulated fields that clouds hide");
  static const DataKeys<S> keys{
      Keys<S>()
          .file(study::kDataFile, &S::file,
                "series of fields (HDF5, datasets/fields/field_series.hpp); none: fields are simulated")
          .key(kLabel, &S::label)
          .key(kClasses, &S::classes, "classes to distinguish; none: those of at least data.class_fields fields")
          .key(kBands, &S::bands)
          .key("data.class_fields", &S::class_fields, Range::between(1, 1e9), "", "fields that a class must have")
          .also([](Schema& schema) { simulated.declare(schema); })
          .key("training.folds", &S::folds, Range::between(0, 100), "",
               "folds of the file that are tested in turn; 0: none, all fields train one model")
          .choice(study::kDataBad, &S::leave_out_bad)
          .added_later(),
      simulated};
  return keys;
}

class Crops final : public model::FusionTask<CropSettings> {
 public:
  Crops() : FusionTask(crop_keys()) {}
  std::string_view name() const override { return "fusion.crops"; }
  std::string_view summary() const override { return "which crop grows on a field, from S1 and S2 with gaps?"; }
  int result_version() const override { return 3; }
  std::string id_column() const override { return "sample_id"; }

  model::Named names_in_data(const CropSettings& settings) const override {
    if (settings.simulated()) return {datasets::fields::kCropNames, kSimulatedBands};
    const FieldSeries series =
        datasets::fields::read_field_series(settings.file, settings.label, settings.leave_out_bad);
    if (series.labels.empty())
      throw DataError(concat(settings.file, ": has no array '", settings.label,
                             "' of labels to learn from; name it by data.label."));
    const auto classes = frequent_labels(series, settings.class_fields);
    if (settings.classes.empty() && classes.size() < 2)
      throw DataError(concat(settings.file, ": ", classes.empty() ? "no label has " : "only one label has ",
                             settings.class_fields,
                             " fields or more; at least two are needed. Lower data.class_fields."));
    return {classes, series.s2.bands};
  }

  study::Target target_of(const CropSettings& settings) const override {
    return model::target_of_classes(settings.label,
                                    settings.classes.empty() ? datasets::fields::kCropNames : settings.classes);
  }

  std::unique_ptr<study::CaseReader> open_cases(const CropSettings& settings, const Random& random) const override {
    if (!settings.simulated()) {
      const FieldSeries series =
          datasets::fields::read_field_series(settings.file, settings.label, settings.leave_out_bad);
      study::Cases cases = cases_of_fields(settings.file, series, settings.bands, settings.classes);
      if (settings.folds == 0) cases.folds.clear();
      const std::vector<Index> sizes = cases.sizes();
      std::vector<std::string> notes;
      if (const auto empty = std::count(sizes.begin(), sizes.end(), 0); empty > 0)
        notes.push_back(concat(counted(empty, "field"), " without a date of either sensor, predicted from no data"));
      study::Reading reading;
      reading.files = {settings.file}, reading.noun = "field", reading.token = "date", reading.notes = std::move(notes);
      if (series.s1.values.rows() > 0)
        reading.variables.push_back({model::kSensorNames[0], "dB", "the layout of the file"});
      if (series.s2.values.rows() > 0)
        reading.variables.push_back(
            {model::kSensorNames[1], "reflectance", "the layout of the file, where an offset is not recognized"});
      for (const auto& [reason, place] : series.left_out) reading.leave_out("field", reason, place);
      return model::reader_with(std::move(cases), std::move(reading));
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

}  // namespace

std::unique_ptr<Experiment> make_crops() {
  return std::make_unique<model::SensorStudy>(std::make_unique<Crops>(), "sensors_accuracy",
                                              "Share of the tested fields that get their crop");
}

}  // namespace fovea::fusion::crops

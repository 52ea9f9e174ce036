#include "fovea/core/study/trained/study_keys.hpp"

#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/model/set_model.hpp"

namespace fovea::study {

const Keys<StudySettings>& study_keys() {
  static const auto keys =
      Keys<StudySettings>()
          .group(split_keys(), &StudySettings::split)
          .group(fitting_keys(), &StudySettings::fitting)
          .group(tree_keys(), &StudySettings::trees)
          .choice("calibration.method", &StudySettings::calibration,
                  {{"temperature", CalibrationMethod::temperature},
                   {"line", CalibrationMethod::line},
                   {"none", CalibrationMethod::none}},
                  "calibration of probabilities (or deviations) on the validation part, or on other folds")
          .key("explain.cases", &StudySettings::explained_cases, Range::between(0, 100000), "",
               "tested cases whose predictions are explained");
  return keys;
}

Schema study_schema(const LearnedTask& task) {
  Schema schema;
  task.keys(schema);
  if (!task.has_own_model()) declare_set_model(schema);
  StudySettings defaults;
  task.adjust(defaults);
  study_keys().declare(schema, defaults);
  return schema;
}

void check_study(const LearnedTask& task, const Config& config, Complaints& complaints) {
  if (!task.has_own_model()) check_set_model(config, complaints);
  task.check(config, complaints);
  check_split(config, complaints);
  check_trees(config, task.refuses_trees(config), complaints);
  if (study_keys().read(config).calibration == CalibrationMethod::line && !task.target(config).rule().binary())
    complaints.add(config.source("calibration.method"),
                   "calibration.method = \"line\" is for targets of two classes; use \"temperature\".");
}

}  // namespace fovea::study

#include "fovea/core/study/trained/study_keys.hpp"

#include "fovea/core/study/cases/split.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/ensemble/explanation.hpp"
#include "fovea/core/study/ensemble/fitting.hpp"
#include "fovea/core/study/model/set_model.hpp"
#include "fovea/core/study/trees/companion.hpp"

namespace fovea::study {

Schema study_schema(const LearnedTask& task) {
  Schema schema;
  task.keys(schema);
  if (!task.has_own_model()) declare_set_model(schema);
  declare_split(schema);
  declare_fitting(schema);
  declare_trees(schema);
  schema.choice("calibration.method", "temperature", {"temperature", "line", "none"},
                "calibration of probabilities (or deviations) on the validation part, or on other folds");
  declare_explanation(schema);
  return schema;
}

void check_study(const LearnedTask& task, const Config& config, Complaints& complaints) {
  if (!task.has_own_model()) check_set_model(config, complaints);
  task.check(config, complaints);
  check_split(config, complaints);
  check_trees(config, task.target(config), complaints);
  if (config.text("calibration.method") == "line" && !task.target(config).rule().binary())
    complaints.add(config.source("calibration.method"),
                   "calibration.method = \"line\" is for targets of two classes; use \"temperature\".");
}

}  // namespace fovea::study

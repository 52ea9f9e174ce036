#include "fovea/domains/nowcast/recession/recession_task.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/trained/study_keys.hpp"

namespace fovea::nowcast {

void RecessionTask::adjust(study::StudySettings& defaults) const {
  defaults.split.method = folds() == FoldsBy::time ? study::FoldMethod::time : study::FoldMethod::group;
  defaults.split.embargo = folds() == FoldsBy::time ? 0 : 12;  // months
  defaults.split.validation = 0;
  defaults.calibration = study::CalibrationMethod::line;
  defaults.fitting.epochs = 100;
  defaults.fitting.patience = 0;
  defaults.fitting.learning_rate = 0.03;
  defaults.fitting.weight_decay = 0;  // the model has a penalty of its own
  defaults.fitting.batch_tokens = 10'000'000;
  defaults.fitting.members = 3;
}

Config RecessionTask::resolved(Config config) const {
  check_months(recession_settings(config), folds());
  return config;
}

void RecessionTask::check(const Config& config, Complaints& complaints) const {
  const RecessionSettings settings = recession_settings(config);
  const Index first = month_of_date(settings.first), start = month_of_date(settings.start);
  if (first < 0)
    complaints.add(config.source("test.first"),
                   concat("test.first = '", settings.first, "', but must be a month such as 1975-01."));
  if (start < 0)
    complaints.add(config.source("test.start"),
                   concat("test.start = '", settings.start, "', but must be a month such as 1985-01."));
  if (first >= 0 && start >= 0 && start < first)
    complaints.add(config.source("test.start"), concat("test.start = '", settings.start, "' is before test.first = '",
                                                       settings.first, "'; months are scored that are nowcast."));
  if (settings.panels.size() > 1)
    complaints.add(config.source("data.panel"), concat("data.panel names ", settings.panels.size(),
                                                       " files, but must be one file, or the folder of its vintages."));
  if (settings.panel.empty() && !settings.recessions.empty())  // a panel alone is what `fovea predict` has
    complaints.add(config.source("data.recessions"),
                   "data.recessions without data.panel; name both, or none for a simulated economy.");
  if (nowcast_model_keys().read(config).delays.empty())
    complaints.add(config.source("model.delays"), "model.delays is empty, but needs one delay or more.");
}

}  // namespace fovea::nowcast

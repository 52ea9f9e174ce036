#include "fovea/core/study/predict/recalibration.hpp"

#include <cmath>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/linear/calibration_line.hpp"
#include "fovea/core/study/cases/target_rule.hpp"

namespace fovea::study {

Recalibration recalibrate(const LearnedTask& task, TrainedModel& model, const std::string& data,
                          const PredictOptions& options) {
  const Target target = task.target(model.config);
  if (!target.rule().binary())
    throw DataError(concat(data, ": is no help to recalibrate ", task.name(),
                           ", whose target is not 0 or 1; only log-odds have "
                           "an intercept to refit."));
  if (!model.calibration.line) model.calibration = {1, true, 0, 1 / model.calibration.scale};
  PredictOptions at_ends = options;
  at_ends.times = {};
  std::vector<double> log_odds;
  std::vector<Index> outcomes;
  predict_cases(task, model, data, at_ends, [&](const PredictedBlock& block) {
    for (std::size_t i = 0; i < block.cases.targets.size(); ++i) {
      if (std::isnan(block.cases.targets[i])) continue;
      log_odds.push_back(log_odds_of(block.predictions.mean(static_cast<Index>(i), 0)));
      outcomes.push_back(static_cast<Index>(block.cases.targets[i]));
    }
  });
  Recalibration found;
  for (const Index y : outcomes) ++(y == 1 ? found.ones : found.zeros);
  if (outcomes.empty() && options.targets.empty() && !task.targets_key().empty())
    throw DataError(concat(data,
                           ": has no known outcomes, to which the intercept could be refitted; name their file with "
                           "--recalibrate-outcomes."));
  if (found.ones < kFewestOutcomes || found.zeros < kFewestOutcomes)
    throw DataError(concat(data, ": has ", counted(found.ones, "outcome"), " of 1 and ", found.zeros,
                           " of 0, but at least ", kFewestOutcomes,
                           " of either are needed to refit the intercept; add cases, or leave it as it is."));
  const CalibrationLine line = fit_calibration_in_the_large(log_odds, outcomes);
  found.shift = line.intercept, found.error = line.intercept_error;
  model.calibration.intercept += found.shift;
  return found;
}

}  // namespace fovea::study

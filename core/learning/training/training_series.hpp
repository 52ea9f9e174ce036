#pragma once
/// Several trainings one after another in one experiment: a run that is resumed does not repeat those that were done.
///
///   TrainingSeries series(bench, 2);
///   settings.name = "dense";
///   const TrainingReport dense = series.train(dense_parameters, problem, settings, random.stream("dense"));
///   settings.name = "window";
///   const TrainingReport window = series.train(window_parameters, problem, settings, random.stream("window"));

#include <set>

#include "fovea/core/learning/training/training.hpp"

namespace fovea::learning {

class TrainingSeries {
 public:
  /// count: how many trainings there will be, for the progress; >= 1. The bench must outlive the series.
  TrainingSeries(Workbench& bench, Index count);
  /// As fovea::learning::train(); settings.name must differ from those before, and hold no '.'. A training that an
  /// earlier run finished is not repeated: its parameters and its report are those that were saved.
  TrainingReport train(Parameters<float>& parameters, const TrainingProblem& problem, const TrainingSettings& settings,
                       const Random& random);

 private:
  Workbench& bench_;
  Index count_;
  std::set<std::string> names_;
  std::optional<Dataset> restored_;
  Dataset finished_;  ///< of all trainings before: "NAME.done..."
};

}  // namespace fovea::learning

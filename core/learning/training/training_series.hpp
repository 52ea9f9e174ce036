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
  /// As fovea::learning::train(); settings.name must differ from those before. A training that an earlier run finished
  /// is not repeated: its parameters and its report are those that were saved.
  TrainingReport train(Parameters<float>& parameters, const TrainingProblem& problem, const TrainingSettings& settings,
                       const Random& random);

 private:
  /// What a training ended with.
  struct Outcome {
    std::string name;
    std::vector<float> values;
    TrainingReport report;
    void visit(Archive archive);
  };
  class Bench;

  Workbench& bench_;
  Index count_;
  std::set<std::string> names_;    ///< of the trainings so far
  std::vector<Outcome> finished_;  ///< in their order; may be ahead of names_ in a run that goes on
  std::optional<Dataset> begun_;   ///< the state of the one after these, from an earlier run
};

}  // namespace fovea::learning

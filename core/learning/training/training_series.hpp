#pragma once
/// Several trainings one after another in one experiment: a run that is resumed does not repeat those that were done.
///
///   TrainingSeries series(bench, 2);
///   settings.name = "dense";
///   const TrainingReport dense = series.train(dense_parameters, problem, settings, random.stream("dense"));
///   settings.name = "window";
///   const TrainingReport window = series.train(window_parameters, problem, settings, random.stream("window"));

#include <functional>
#include <set>

#include "fovea/core/learning/training/training.hpp"

namespace fovea::learning {

class TrainingSeries {
 public:
  /// count: how many trainings there will be, for the progress, which stays at its end if there are more; >= 1. The
  /// bench must outlive the series.
  TrainingSeries(Workbench& bench, Index count);
  /// As fovea::learning::train(); settings.name must differ from those before. A training that an earlier run finished
  /// is not repeated: its parameters and its report are those that were saved.
  TrainingReport train(Parameters<float>& parameters, const TrainingProblem& problem, const TrainingSettings& settings,
                       const Random& random);
  /// What make() gives: for learning of another kind, which has no steps of its own to go on from. A run that is
  /// resumed takes what an earlier one had finished. `name` as that of a training.
  Dataset once(const std::string& name, const std::function<Dataset()>& make);
  void log(const std::string& line) { bench_.log(line); }

 private:
  /// What a training ended with.
  struct Outcome {
    std::string name;
    std::vector<float> values;
    TrainingReport report;
    Dataset other;  ///< of once()
    void visit(Archive archive);
  };
  class Bench;
  /// The next one in the order of the series where an earlier run finished it; else nullptr.
  const Outcome* finished_before(const std::string& name);

  Workbench& bench_;
  Index count_;
  std::set<std::string> names_;    ///< of the trainings so far
  std::vector<Outcome> finished_;  ///< in their order; may be ahead of names_ in a run that goes on
  std::optional<Dataset> begun_;   ///< the state of the one after these, from an earlier run
};

}  // namespace fovea::learning

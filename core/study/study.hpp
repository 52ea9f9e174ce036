#pragma once
/// A learned question as an experiment of the lab, and its predictions for new cases.
///
/// A run splits by group, prepares from the training part, trains an ensemble, calibrates it on the validation part,
/// looks at the test part once, compares with the base rate and a ridge model, explains, and leaves model.h5. With
/// folds (split.folds, or Cases::folds) it cross-validates instead: every case of a fold is tested once, and model.h5
/// holds an ensemble that learned from all cases (folds/cross_validation.hpp).

#include <functional>
#include <memory>
#include <string>

#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/study/predict/predict_cases.hpp"
#include "fovea/core/study/predict/rows_predictor.hpp"
#include "fovea/core/study/report/study_outcome.hpp"

namespace fovea::study {

/// An experiment that a model file can be applied with.
class Study : public Experiment {
 public:
  explicit Study(std::unique_ptr<LearnedTask> task);
  std::string_view name() const override { return task_->name(); }
  std::string_view summary() const override { return task_->summary(); }
  int result_version() const override { return task_->result_version(); }
  Schema schema() const override;
  void check(const Config& config, Complaints& complaints) const override;
  /// The cases of the file that task().data_key() names; simulated cases depend on the seed, so a run makes its own.
  Inputs open(const Config& config) const override;
  void check_inputs(const Config& config, const Inputs& inputs) const override;
  void run(const Config& config, Inputs inputs, const Random& random, Results& results,
           Workbench& bench) const override;
  const Predictor* predictor(std::string_view output) const override;
  void conclude(Results& merged) const override;

  const LearnedTask& task() const { return *task_; }

  /// predict_cases() with this task.
  PredictionSummary predict(const TrainedModel& model, const std::string& data, const PredictOptions& options,
                            const std::function<void(const PredictedBlock&)>& write) const;

 private:
  void run_split(const Config& config, const Cases& cases, const Random& random, Results& results,
                 Workbench& bench) const;
  void run_folds(const Config& config, const Cases& cases, const Random& random, Results& results,
                 Workbench& bench) const;
  std::unique_ptr<LearnedTask> task_;
  RowsPredictor rows_;
};

std::unique_ptr<Experiment> make_study(std::unique_ptr<LearnedTask> task);

}  // namespace fovea::study

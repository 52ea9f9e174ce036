#pragma once
/// A learned question as an experiment of the lab, and its predictions for new cases.
///
/// A run splits by group, prepares from the training part, trains an ensemble, calibrates it on the validation part,
/// looks at the test part once, compares with the base rate and a ridge model, explains, and leaves model.h5. With
/// folds (split.folds, or Cases::folds) it cross-validates instead: every case is tested once, and model.h5 holds an
/// ensemble that learned from all of them (folds/cross_validation.hpp).

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/study/folds/cross_validation.hpp"
#include "fovea/core/study/model_file.hpp"
#include "fovea/core/study/predict/asked_times.hpp"
#include "fovea/core/study/scores.hpp"
#include "fovea/core/study/task.hpp"

namespace fovea::study {

/// What a run found. The tested cases are the test part; with folds they are all cases in their order, each predicted
/// by the ensemble that did not learn from it.
struct StudyOutcome {
  const Config& config;
  const Target& target;
  const Cases& cases;
  const Split& split;                       ///< of `model`; with folds its test part is all cases
  const Matrix<float>& inputs;              ///< of all tokens, as `model` has prepared them
  const TrainedModel& model;                ///< with folds the final one, which learned from all cases
  const Predictions& predictions;           ///< of the tested cases
  const std::vector<double>& test_targets;  ///< as many as rows of the predictions
  const CrossValidation* folds = nullptr;   ///< fold numbers and the model of each fold; nullptr without folds
  /// One matrix a member: its outputs for the tested cases, asked at these times in place of their ends (a row for each
  /// case and time, the times of a case side by side); without times, as they were asked. With folds each case by its
  /// fold's member, numbers in their own unit.
  std::function<std::vector<Matrix<double>>(std::span<const double> at)> outputs;
  /// The calibrated predictions of such outputs, decided where there are thresholds.
  std::function<Predictions(const std::vector<Matrix<double>>& outputs)> predicted;
  /// Of this run: what the task learns besides, each under a name of its own, goes on where it was stopped.
  learning::TrainingSeries& trainings;
};

/// What predicting new cases needs of the command.
struct PredictOptions {
  Index block = 1024;       ///< cases read at a time
  Index batch_tokens = 0;   ///< tokens computed at a time; 0: as many as the model likes
  TimeQuestion times = {};  ///< a row for each case and time, in place of one a case
  /// Whether blocks have the attention of tokens; DataError where the model has none.
  bool attention = false;
  std::string targets = {};  ///< file of the targets (LearnedTask::targets_key()); empty: those among the cases
  /// KEY=VALUE of keys that say how new files are read, such as their unit; the others are as in the training.
  std::vector<std::string> set = {};
};

/// Rows of predictions of one block.
struct PredictedBlock {
  const Cases& cases;
  const Predictions& predictions;
  const AskedTimes* asked = nullptr;             ///< when the cases are asked; nullptr: each once, at its end
  std::span<const Matrix<double>> outputs = {};  ///< of each member, before the calibration
  std::span<const double> attention = {};        ///< if asked for: one a token, sum 1 in each case, mean over members
};

/// What was predicted, and what was noticed.
struct PredictionSummary {
  Index cases = 0, rows = 0, known = 0;  ///< known: rows with a target; of several times the last of each case
  Index late = 0;                        ///< rows asked later than the end of their case
  std::vector<std::string> notes;        ///< what the reader assumed or was told (CaseReader::notes())
  std::vector<Feature> features;
  Difference difference;
  std::vector<Score> scores;       ///< where targets are known: of all rows
  std::vector<ScoreValue> values;  ///< one a score
};

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
  void conclude(Results& merged) const override;

  const LearnedTask& task() const { return *task_; }

  /// Predictions for the cases of a file, block after block in its order; memory does not grow with the file. The bits
  /// of a case depend on it alone. Further files of the model's config, such as those of targets or folds, belong to
  /// the training data and are not read. Throws DataError; ConfigError for a key of options.set that is not one of how
  /// files are read (it stands in the table of task().data_key(), and names no file), or that changes the target.
  PredictionSummary predict(const TrainedModel& model, const std::string& data, const PredictOptions& options,
                            const std::function<void(const PredictedBlock&)>& write) const;

 private:
  void run_split(const Config& config, const Cases& cases, const Random& random, Results& results,
                 Workbench& bench) const;
  void run_folds(const Config& config, const Cases& cases, const Random& random, Results& results,
                 Workbench& bench) const;
  std::unique_ptr<LearnedTask> task_;
};

std::unique_ptr<Experiment> make_study(std::unique_ptr<LearnedTask> task);

}  // namespace fovea::study

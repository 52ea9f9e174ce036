#pragma once
/// A learned question as an experiment of the lab, and its predictions for new cases.
///
/// A run splits by group, prepares from the training part, trains an ensemble, calibrates it on the validation part,
/// looks at the test part once, compares with the base rate and a ridge model, explains, and leaves model.h5.

#include <functional>
#include <memory>
#include <string>

#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/study/model_file.hpp"
#include "fovea/core/study/scores.hpp"
#include "fovea/core/study/task.hpp"

namespace fovea::study {

/// What a run found.
struct StudyOutcome {
  const Config& config;
  const Target& target;
  const Cases& cases;
  const Split& split;
  const Matrix<float>& inputs;
  const TrainedModel& model;
  const Predictions& predictions;           ///< of the test part
  const std::vector<double>& test_targets;  ///< as many as rows of the predictions
};

/// What predicting new cases needs of the command.
struct PredictOptions {
  Index block = 4096;         ///< cases read at a time
  Index batch_tokens = 8192;  ///< tokens computed at a time
};

/// Rows of predictions of one block.
struct PredictedBlock {
  const Cases& cases;
  const Predictions& predictions;
};

/// What was predicted, and what was noticed.
struct PredictionSummary {
  Index cases = 0, rows = 0, known = 0;  ///< known: rows with a target
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
  /// of a case depend on it alone. Throws DataError.
  PredictionSummary predict(const TrainedModel& model, const std::string& data, const PredictOptions& options,
                            const std::function<void(const PredictedBlock&)>& write) const;

 private:
  std::unique_ptr<LearnedTask> task_;
};

std::unique_ptr<Experiment> make_study(std::unique_ptr<LearnedTask> task);

}  // namespace fovea::study

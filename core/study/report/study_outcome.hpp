#pragma once
/// What a run of a study found, for its own report and for the task's (LearnedTask::examine()).

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fovea/core/learning/training/training_series.hpp"
#include "fovea/core/study/folds/cross_validation.hpp"
#include "fovea/core/study/scores/scores.hpp"
#include "fovea/core/study/trained/model_file.hpp"

namespace fovea::study {

/// Ours and those it is compared with, in this order; behind them, where attention is mixed with trees, both alone.
inline const std::vector<std::string> kPredictors{"attention", "ridge", "base rate"};

/// What a run found. The tested cases are the test part; with folds they are all cases in their order, each predicted
/// by the ensemble of its fold; of those that are never tested predictions and targets are NaN.
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

  /// Ours and those it is compared with, in the order of Examination.
  std::vector<std::string> predictors() const;
  /// What is predicted, in the plural: "jets", or of a target of tokens "particles".
  std::string things() const;
  /// Where something was measured: "on the test part".
  std::string tested() const;
};

/// Everything about the test part, as one point of a sweep.
struct Examination {
  std::vector<Predictions> predictions;         ///< one for each predictor, rows without a known target left out
  std::vector<double> targets;                  ///< known
  std::vector<std::vector<ScoreValue>> scores;  ///< of each predictor, one for each of scores_of()
};

}  // namespace fovea::study

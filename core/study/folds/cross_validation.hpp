#pragma once
/// Cross-validation of a study: an ensemble for each fold, what it says of the fold that it did not learn from, and a
/// final ensemble that learned from all cases.
///
/// Everything that is fitted is fitted without the fold that it is applied to: preparation and members on the others'
/// cases; calibration and threshold of fold f on the out-of-fold outputs of the other folds; those of the final model
/// on all out-of-fold outputs. With blocks in time, on what was known before the block began. Where too few targets are
/// left to calibrate by, of one class or none, outputs stay as they are, trees have the weight trees.share, and 0.5
/// decides.

#include <functional>
#include <optional>
#include <vector>

#include "fovea/core/study/folds/folds.hpp"
#include "fovea/core/study/trained/model_file.hpp"

namespace fovea::study {

/// What was fitted without one fold.
struct FoldModel {
  Split split;                   ///< test: the fold
  bool fitted_on_others = true;  ///< whether enough targets calibrate and decide it
  Preparation preparation;
  Calibration calibration;
  std::optional<double> threshold;  ///< of binary targets
  std::vector<Member> members;
  std::optional<Companion> trees{};
};

/// Rows are those of all cases in their order: one a case, or one a token; of cases that are never tested they are NaN.
struct CrossValidation {
  std::vector<Index> fold_of_case;  ///< from 0, or kNeverTested
  std::vector<FoldModel> models;    ///< one a fold
  /// One matrix a member: its out-of-fold outputs, mixed with the trees'; those of a number are in its own unit (mean,
  /// log of the variance).
  std::vector<Matrix<double>> outputs;
  Predictions predictions;  ///< out of fold, calibrated, and decided for binary targets
  /// Ridge and base rate, with trees also attention alone and each kind of trees alone; cross-validated and decided the
  /// same way.
  std::vector<Predictions> baselines;
  SplitSettings wanted{};
  bool in_time() const { return wanted.method == FoldMethod::time; }
  Index tested() const;  ///< how many cases
  bool tests_all() const { return tested() == std::ssize(fold_of_case); }
  Index folds() const { return static_cast<Index>(models.size()); }
};

/// The final ensemble, and its trainings.
struct FinalModel {
  TrainedModel model;
  Split split;  ///< test: empty
  std::vector<learning::TrainingReport> reports;
};

struct CrossValidated {
  CrossValidation folds;
  FinalModel final_model;
};

/// The splits of all folds, then that of the final model. Throws DataError; so what cannot be is refused before
/// training.
struct FoldPlan {
  std::vector<Index> fold_of_case;
  std::vector<Split> splits;
  std::string source = "the cases";  ///< for messages
};
FoldPlan plan_folds(const std::string& source, const Cases& cases, const Target& target, const SplitSettings& wanted,
                    const Random& random);

/// Trains fold_1_member_1, ..., final_member_M within the series, calibrates, decides, and cross-validates the
/// baselines. prefix: of these names. random: of the run. The same bits for any number of threads, and for a run that
/// was stopped and goes on.
CrossValidated cross_validated(const LearnedTask& task, const Target& target, const Cases& cases, FoldPlan plan,
                               const Config& config, const Random& random, learning::TrainingSeries& trainings,
                               const std::string& prefix = "");

/// Out-of-fold outputs of all cases asked at these times, as CrossValidation::outputs, with a row for each case and
/// time, the times of a case side by side; without times those of CrossValidation.
std::vector<Matrix<double>> outputs_at(const CrossValidation& folds, const Target& target, const Cases& cases,
                                       std::span<const double> at);

/// The targets of all rows, NaN where a case is never tested.
/// In time also of cases whose part is "validation": they calibrate later blocks and are not scored.
std::vector<double> tested_targets(const CrossValidation& folds, const Target& target, const Cases& cases,
                                   FoldMethod method);

/// What such outputs predict: each row with the calibration and threshold of its case's fold.
Predictions predictions_at(const CrossValidation& folds, const Target& target, const Cases& cases,
                           const std::vector<Matrix<double>>& outputs);

}  // namespace fovea::study

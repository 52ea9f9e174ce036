#pragma once
/// What is special about a kind of target, in one object each (targets/): whoever needs to know asks the rule, and
/// nobody asks for the kind. Target::rule() finds it.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/learning/hazard_loss.hpp"
#include "fovea/core/learning/tape.hpp"
#include "fovea/core/study/cases/target.hpp"

namespace fovea {
class Results;
}

namespace fovea::study {

struct Calibration;   // ensemble/predictions.hpp
struct Predictions;   // ensemble/predictions.hpp
struct ScoreEntry;    // scores/score_table.hpp
struct RidgeParts;    // baselines/baselines.hpp
struct TreeLesson;    // trees/tree_lesson.hpp
struct BoostedTrees;  // trees/boosted_trees.hpp
struct StudyOutcome;  // report/study_outcome.hpp
struct Examination;   // report/study_outcome.hpp

/// Targets and weights of some rows, ready for a loss; what is not known has weight 0.
struct Aims {
  Matrix<float> targets;       ///< rows x 1, in standard deviations of the training part; not known: 0
  std::vector<Index> classes;  ///< of codes; not known: 0
  std::vector<float> weights;
  learning::HazardTargets hazards;
};

/// Mean and standard deviation of a number in the training part.
struct TargetScale {
  double mean = 0, deviation = 1;
};

/// From the members' mean first output to the answer that is explained: intercept + slope output.
struct AnswerLine {
  double intercept = 0, slope = 1;
};

class TargetRule {
 public:
  virtual ~TargetRule() = default;
  virtual std::string_view name() const = 0;  ///< for people and --json

  // ---- targets
  virtual Index outputs(const Target& target) const = 0;  ///< columns that a model must give
  /// Targets are the whole numbers below this; 0: they are real numbers, learned in standard deviations.
  virtual Index codes(const Target& target) const = 0;
  virtual bool real() const { return false; }  ///< codes() = 0
  /// Each row is one log-odds, of class 1: it can be calibrated by a line, decided by a threshold, mixed with trees.
  virtual bool binary() const { return false; }
  virtual bool named() const { return false; }  ///< a target is called by the name of its class
  /// A target says something to whoever reads it in a column.
  virtual bool legible() const { return true; }
  /// What is spread evenly over parts: of a code.
  virtual Index stratum(const Target& target, Index code) const { return static_cast<void>(target), code; }

  // ---- learning
  /// Fills what the loss wants besides targets, classes and weights; codes: NaN where not known.
  virtual void complete(const Target& target, std::span<const double> codes, Aims& aims) const {
    static_cast<void>(target), static_cast<void>(codes), static_cast<void>(aims);
  }
  /// The weighted sum of the rows' losses over `total`.
  virtual learning::Variable<float> loss(const Target& target, learning::Variable<float> outputs, const Aims& aims,
                                         float total) const = 0;

  // ---- predictions
  virtual Index columns(const Target& target) const = 0;  ///< of Predictions::mean
  /// Outputs in the target's own unit; logits stay.
  virtual void to_own_unit(Matrix<double>& outputs, const TargetScale& scale) const {
    static_cast<void>(outputs), static_cast<void>(scale);
  }
  /// combined() and calibrated() of ensemble/predictions.hpp; calibrated: of a method other than none.
  virtual Predictions combined(const Target& target, std::span<const Matrix<double>> outputs,
                               const Calibration& calibration, const TargetScale& scale) const = 0;
  virtual Calibration calibrated(const Target& target, std::span<const Matrix<double>> outputs,
                                 std::span<const double> targets, CalibrationMethod method,
                                 const TargetScale& scale) const = 0;
  /// How many of Calibration::shifts a model file has.
  virtual Index shifts(const Target& target) const { return static_cast<void>(target), 0; }
  virtual AnswerLine answer_line(const Calibration& calibration, const TargetScale& scale) const;

  // ---- trees beside the model (trees/companion.hpp)
  /// How many numbers trees answer to a question, each with trees of its own: as many as the model's first outputs.
  virtual Index tree_answers(const Target& target) const = 0;
  /// How often trees are asked about a row: with more than one question its number, from 0, is a further column, and
  /// what they answer stands side by side.
  virtual Index tree_questions(const Target& target) const { return static_cast<void>(target), 1; }
  /// The trees of each answer. Throws ArgumentError, DataError.
  virtual std::vector<BoostedTrees> grown(const Target& target, const TreeLesson& lesson) const = 0;
  /// From what trees answer to outputs as the model's. shares: they are a forest's, of a class.
  virtual void trees_to_outputs(bool shares, Matrix<double>& answers) const {
    static_cast<void>(shares), static_cast<void>(answers);
  }
  /// Weights of models that add up to 1 (trees/stacking.hpp), from their outputs of rows with these known targets.
  virtual std::vector<double> stacked(const Target& target, std::span<const Matrix<double>> parts,
                                      std::span<const double> targets) const = 0;

  // ---- how good they are
  /// In the order of scores_of(); decided: of predictions with decisions.
  virtual std::vector<ScoreEntry> scores(const Target& target, bool decided) const = 0;
  /// What the training part says of `rows` rows; known: its known targets, at least one.
  virtual Predictions base_rate(const Target& target, std::span<const double> known, Index rows) const = 0;
  virtual Predictions ridge(const Target& target, const RidgeParts& parts) const = 0;

  /// The smallest main score that a study of these known targets, taken for independent, would find in four of five
  /// cases where `chance` is what a prediction that knows nothing has (statistics/tests/detectable.hpp). each: what a
  /// target counts, below 1 where targets come in groups.
  virtual double detectable(const Target& target, std::span<const double> known, double each, double chance) const = 0;

  // ---- what is shown
  /// Names of the columns of `fovea predict`, separated by commas: prediction_rows.hpp.
  virtual std::string header(const Target& target, bool decided) const = 0;
  /// A row of them, each with a comma before it.
  virtual std::string cells(const Target& target, const Predictions& predictions, Index row) const = 0;
  /// Figures before the table of scores, and behind it.
  virtual void write_first(const StudyOutcome& outcome, const Examination& examined, Results& results) const;
  virtual void write_curves(const StudyOutcome& outcome, const Examination& examined, Results& results) const;
};

}  // namespace fovea::study

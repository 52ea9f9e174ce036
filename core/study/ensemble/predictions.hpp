#pragma once
/// From the outputs of an ensemble to what it predicts.

#include <span>
#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/study/cases/target.hpp"

namespace fovea::study {

/// How outputs are corrected, from cases that were not learned from: the validation part, or other folds.
struct Calibration {
  /// binary, classes: the temperature that divides each member's logits (Guo et al. 2017); number: what multiplies the
  /// standard deviation, so that the mean of squared standardised errors is 1.
  double scale = 1;
  /// binary, in place of the temperature: probability = sigmoid(intercept + slope * mean of the members' logits)
  /// (Platt 1999).
  bool line = false;
  double intercept = 0, slope = 1;
  /// hazards: what is added to the logits of each end, in every interval (hazards/hazard_target.hpp); empty: nothing.
  std::vector<double> shifts = {};
  /// number: the mean falls back to kept * mean + (1 - kept) * constant, kept in [0, 1] of least squared error,
  /// constant the mean of the targets (James & Stein 1961; Copas 1983). Where it was fitted on places that did not
  /// teach, this is as far as new places ask for it.
  double kept = 1, constant = 0;
};

/// One row a case or token.
struct Predictions {
  Matrix<double> mean;             ///< probabilities (binary: 1 column, of class 1; hazards: incidences, see
                                   ///< hazards/hazard_target.hpp), or the mean of a number in its unit
  Matrix<double> spread;           ///< standard deviation of the members' probabilities or means
  std::vector<double> deviation;   ///< number: predictive standard deviation (noise and members); else empty
  std::vector<Index> decisions{};  ///< binary, where a threshold is known: 1 if the probability is at least it
  /// binary: the 0.05 and 0.95 quantiles of the members' calibrated probabilities, and the probability itself where it
  /// lies beyond. They say how far models from other random starts disagree on the case, no more: not how far the
  /// probability of a case may be from the truth.
  std::vector<double> low{}, high{};
  Matrix<double> sides{};  ///< what the model tells besides (StudyModel::side_columns()); empty: nothing, or not asked
};

/// The mixture of the members (Lakshminarayanan, Pritzel, Blundell 2017). outputs: one matrix a member. target_mean and
/// target_deviation: of Preparation. Calibrated by a line, the mean is the calibrated probability of the mean logit,
/// and the spread that of the members' calibrated probabilities.
Predictions combined(const Target& target, std::span<const Matrix<double>> outputs, const Calibration& calibration,
                     double target_mean, double target_deviation);

/// Fitted on outputs of cases that no member learned from; rows without a known target (NaN) are left out. method:
/// none gives scale 1; hazards have shifts (hazard_shifts()); line, for binary targets, the line of maximum
/// likelihood, or where there is none (one class alone, or logits that part the classes) the temperature of the mean
/// logits as a slope.
Calibration calibrated(const Target& target, std::span<const Matrix<double>> outputs, std::span<const double> targets,
                       CalibrationMethod method, double target_mean, double target_deviation);

/// Decides every row of a binary target by a threshold.
void decide_rows(Predictions& predictions, double threshold);

/// Where sensitivity and positive predictive value are equal (balanced_threshold()), of rows with a known target; they
/// must hold a row of class 1.
double threshold_of(const Predictions& predictions, std::span<const double> targets);

}  // namespace fovea::study

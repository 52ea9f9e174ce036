#pragma once
/// From the outputs of an ensemble to what it predicts.

#include <span>
#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/study/task.hpp"

namespace fovea::study {

/// How outputs are corrected, from the validation part.
struct Calibration {
  /// binary, classes: the temperature that divides each member's logits (Guo et al. 2017); number: what multiplies the
  /// standard deviation, so that the mean of squared standardised errors is 1.
  double scale = 1;
};

/// One row a case or token.
struct Predictions {
  Matrix<double> mean;            ///< probabilities (binary: 1 column, of class 1), or the mean of a number in its unit
  Matrix<double> spread;          ///< standard deviation of the members' probabilities or means
  std::vector<double> deviation;  ///< number: predictive standard deviation (noise and members); else empty
};

/// The mixture of the members (Lakshminarayanan, Pritzel, Blundell 2017). outputs: one matrix a member. target_mean and
/// target_deviation: of Preparation.
Predictions combined(const Target& target, std::span<const Matrix<double>> outputs, const Calibration& calibration,
                     double target_mean, double target_deviation);

/// Fitted on outputs of cases that no member learned from; rows without a known target (NaN) are left out. method:
/// "none" gives scale 1.
Calibration calibrated(const Target& target, std::span<const Matrix<double>> outputs, std::span<const double> targets,
                       const std::string& method, double target_mean, double target_deviation);

}  // namespace fovea::study

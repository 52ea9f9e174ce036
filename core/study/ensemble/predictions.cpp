#include "fovea/core/study/ensemble/predictions.hpp"

#include <cmath>

#include "fovea/core/statistics/decisions.hpp"
#include "fovea/core/study/cases/target_rule.hpp"

namespace fovea::study {

Predictions combined(const Target& target, std::span<const Matrix<double>> outputs, const Calibration& calibration,
                     double target_mean, double target_deviation) {
  return target.rule().combined(target, outputs, calibration, {target_mean, target_deviation});
}

Calibration calibrated(const Target& target, std::span<const Matrix<double>> outputs, std::span<const double> targets,
                       CalibrationMethod method, double target_mean, double target_deviation) {
  if (method == CalibrationMethod::none) return {};
  return target.rule().calibrated(target, outputs, targets, method, {target_mean, target_deviation});
}

void decide_rows(Predictions& predictions, double threshold) {
  predictions.decisions.clear();
  for (Index i = 0; i < predictions.mean.rows(); ++i)
    predictions.decisions.push_back(predictions.mean(i, 0) >= threshold ? 1 : 0);
}

double threshold_of(const Predictions& predictions, std::span<const double> targets) {
  std::vector<double> risks;
  std::vector<Index> outcomes;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (std::isnan(targets[i])) continue;
    risks.push_back(predictions.mean(static_cast<Index>(i), 0));
    outcomes.push_back(static_cast<Index>(targets[i]));
  }
  return balanced_threshold(risks, outcomes);
}

}  // namespace fovea::study

#include "fovea/core/study/predictions.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/learning/training/ensemble.hpp"
#include "fovea/core/statistics/calibration.hpp"
#include "fovea/core/statistics/calibration_line.hpp"
#include "fovea/core/statistics/decisions.hpp"
#include "fovea/core/study/hazards/hazard_target.hpp"

namespace fovea::study {

namespace {

constexpr double kSmallestScale = 1e-3, kLargestScale = 1e3;  // of a deviation, as for temperatures

/// Means and variances of a number in its own unit.
void unscale(const Matrix<double>& output, double scale, double target_mean, double target_deviation,
             Matrix<double>& mean, Matrix<double>& variance) {
  mean = (output.leftCols(1).array() * target_deviation + target_mean).matrix();
  variance =
      (output.rightCols(1).array().max(-60.0).min(60.0).exp() * (scale * scale * target_deviation * target_deviation))
          .matrix();
}

Predictions combined_number(std::span<const Matrix<double>> outputs, double scale, double target_mean,
                            double target_deviation) {
  std::vector<Matrix<double>> means(outputs.size()), variances(outputs.size());
  for (std::size_t m = 0; m < outputs.size(); ++m)
    unscale(outputs[m], scale, target_mean, target_deviation, means[m], variances[m]);
  const learning::MixtureMoments moments = learning::combine_gaussian(means, variances);
  Predictions predictions{moments.mean, learning::combine(means).spread, {}, {}};
  for (Index i = 0; i < moments.variance.rows(); ++i)
    predictions.deviation.push_back(std::sqrt(moments.variance(i, 0)));
  return predictions;
}

/// Rows whose target is known, of all members one below the other.
struct KnownRows {
  Matrix<double> logits;
  std::vector<Index> classes;
};
KnownRows known_rows(std::span<const Matrix<double>> outputs, std::span<const double> targets) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (!std::isnan(targets[i])) rows.push_back(static_cast<Index>(i));
  KnownRows known;
  known.logits.resize(static_cast<Index>(rows.size() * outputs.size()), outputs[0].cols());
  Index at = 0;
  for (const Matrix<double>& output : outputs)
    for (const Index row : rows) {
      known.logits.row(at++) = output.row(row);
      known.classes.push_back(static_cast<Index>(targets[row]));
    }
  return known;
}

/// sqrt of the mean of squared errors over predicted variances.
double deviation_scale(const Target& target, std::span<const Matrix<double>> outputs, std::span<const double> targets,
                       double target_mean, double target_deviation) {
  const Predictions plain = combined(target, outputs, {}, target_mean, target_deviation);
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (std::isnan(targets[i])) continue;
    const double error = (targets[i] - plain.mean(static_cast<Index>(i), 0)) / plain.deviation[i];
    sum += error * error;
    ++count;
  }
  return count > 0 ? std::clamp(std::sqrt(sum / count), kSmallestScale, kLargestScale) : 1;
}

Matrix<double> mean_logits(std::span<const Matrix<double>> outputs) {
  Matrix<double> mean = outputs[0];
  for (std::size_t m = 1; m < outputs.size(); ++m) mean += outputs[m];
  return mean / static_cast<double>(outputs.size());
}

/// Predictions::low and high. probabilities: of each member, of class 1.
void add_range(std::span<const Matrix<double>> probabilities, Predictions& predictions) {
  constexpr double kBeyond = 0.05;
  std::vector<double> sorted(probabilities.size());
  for (Index i = 0; i < predictions.mean.rows(); ++i) {
    for (std::size_t m = 0; m < sorted.size(); ++m) sorted[m] = probabilities[m](i, 0);
    std::sort(sorted.begin(), sorted.end());
    predictions.low.push_back(std::min(sorted_quantile(sorted, kBeyond), predictions.mean(i, 0)));
    predictions.high.push_back(std::max(sorted_quantile(sorted, 1 - kBeyond), predictions.mean(i, 0)));
  }
}

Predictions combined_by_line(std::span<const Matrix<double>> outputs, const Calibration& calibration) {
  CalibrationLine line;
  line.intercept = calibration.intercept, line.slope = calibration.slope;
  const auto probability = [&](double logit) { return line.probability(logit); };
  std::vector<Matrix<double>> probabilities;
  for (const Matrix<double>& output : outputs) probabilities.push_back(output.unaryExpr(probability));
  Predictions predictions{mean_logits(outputs).unaryExpr(probability), learning::combine(probabilities).spread, {}, {}};
  add_range(probabilities, predictions);
  return predictions;
}

Calibration calibrated_by_line(std::span<const Matrix<double>> outputs, std::span<const double> targets) {
  const Matrix<double> mean = mean_logits(outputs);
  const KnownRows known = known_rows({&mean, 1}, targets);
  if (known.classes.empty()) return {};
  try {
    const CalibrationLine line =
        fit_calibration_line({known.logits.data(), static_cast<std::size_t>(known.logits.size())}, known.classes);
    return {1, true, line.intercept, line.slope};
  } catch (const ArgumentError&) {  // no maximum
    return {1, true, 0, 1 / fit_temperature(known.logits, known.classes).temperature};
  }
}

}  // namespace

Predictions combined(const Target& target, std::span<const Matrix<double>> outputs, const Calibration& calibration,
                     double target_mean, double target_deviation) {
  if (target.kind == TargetKind::number)
    return combined_number(outputs, calibration.scale, target_mean, target_deviation);
  if (target.kind == TargetKind::hazards) return combined_hazards(target, outputs, calibration.shifts);
  if (calibration.line) return combined_by_line(outputs, calibration);
  std::vector<Matrix<double>> probabilities;
  for (const Matrix<double>& output : outputs) {
    if (output.rows() > 0)
      probabilities.push_back(class_probabilities(output, calibration.scale));
    else
      probabilities.push_back(output);
  }
  const learning::EnsemblePrediction together = learning::combine(probabilities);
  Predictions predictions{together.mean, together.spread, {}, {}};
  if (target.kind == TargetKind::binary) add_range(probabilities, predictions);
  return predictions;
}

Calibration calibrated(const Target& target, std::span<const Matrix<double>> outputs, std::span<const double> targets,
                       const std::string& method, double target_mean, double target_deviation) {
  if (method == "none") return {};
  if (target.kind == TargetKind::hazards) return {1, false, 0, 1, hazard_shifts(target, outputs, targets)};
  if (target.kind == TargetKind::number)
    return {deviation_scale(target, outputs, targets, target_mean, target_deviation), false, 0, 1};
  if (method == "line" && target.kind == TargetKind::binary) return calibrated_by_line(outputs, targets);
  const KnownRows known = known_rows(outputs, targets);
  if (known.classes.empty()) return {};
  return {fit_temperature(known.logits, known.classes).temperature, false, 0, 1};
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

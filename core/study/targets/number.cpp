/// Targets that are real numbers: mean and log variance, in standard deviations of the training part.

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/training/ensemble.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/core/statistics/tests/detectable.hpp"
#include "fovea/core/study/baselines/baselines.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/core/study/report/number_findings.hpp"
#include "fovea/core/study/report/study_outcome.hpp"
#include "fovea/core/study/scores/score_table.hpp"
#include "fovea/core/study/targets/rules.hpp"
#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/core/study/trees/stacking.hpp"
#include "fovea/core/study/trees/tree_lesson.hpp"

namespace fovea::study {

namespace {

constexpr std::size_t kCoverage = 4;                          // among the scores
constexpr double kSmallestScale = 1e-3, kLargestScale = 1e3;  // of a deviation, as for temperatures

/// Means and variances of a number in its own unit.
void unscale(const Matrix<double>& output, double factor, const TargetScale& scale, Matrix<double>& mean,
             Matrix<double>& variance) {
  mean = (output.leftCols(1).array() * scale.deviation + scale.mean).matrix();
  variance =
      (output.rightCols(1).array().max(-60.0).min(60.0).exp() * (factor * factor * scale.deviation * scale.deviation))
          .matrix();
}

Predictions combined_number(std::span<const Matrix<double>> outputs, const Calibration& calibration,
                            const TargetScale& scale) {
  std::vector<Matrix<double>> means(outputs.size()), variances(outputs.size());
  for (std::size_t m = 0; m < outputs.size(); ++m) {
    unscale(outputs[m], calibration.scale, scale, means[m], variances[m]);
    if (calibration.kept < 1)
      means[m] = (calibration.kept * means[m].array() + (1 - calibration.kept) * calibration.constant).matrix();
  }
  const learning::MixtureMoments moments = learning::combine_gaussian(means, variances);
  Predictions predictions{moments.mean, learning::combine(means).spread, {}, {}};
  for (Index i = 0; i < moments.variance.rows(); ++i)
    predictions.deviation.push_back(std::sqrt(moments.variance(i, 0)));
  return predictions;
}

/// Calibration::kept and constant of these known targets.
void fall_back_to_mean(std::span<const Matrix<double>> outputs, std::span<const double> targets,
                       const TargetScale& scale, Calibration& calibration) {
  const Predictions plain = combined_number(outputs, {}, scale);
  const std::vector<Index> known = known_rows_of(targets);
  double sum = 0, squares = 0, products = 0;
  for (const Index row : known) sum += targets[row];
  const double mean = sum / static_cast<double>(known.size());
  for (const Index row : known) {
    const double x = plain.mean(row, 0) - mean;
    squares += x * x, products += x * (targets[row] - mean);
  }
  if (squares > 0 && products < squares)
    calibration.kept = std::max(0.0, products / squares), calibration.constant = mean;
}

/// sqrt of the mean of squared errors over predicted variances.
double deviation_scale(std::span<const Matrix<double>> outputs, std::span<const double> targets,
                       const Calibration& calibration, const TargetScale& scale) {
  const Predictions plain = combined_number(outputs, calibration, scale);
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (std::isnan(targets[i])) continue;
    const double error = (targets[i] - plain.mean(static_cast<Index>(i), 0)) / plain.deviation[i];
    sum += error * error;
    ++count;
  }
  return count > 0 ? std::clamp(std::sqrt(sum / count), kSmallestScale, kLargestScale) : 1;
}

WeightedScore absolute_error_of(const Examples& examples) {
  return mean_of_rows(examples,
                      [&](Index i) { return mean_absolute_error(examples.mean_at(i), examples.target_at(i)); });
}

std::vector<double> squared_errors(const Examples& examples) {
  std::vector<double> squares;
  for (Index i = 0; i < examples.rows(); ++i) {
    const double error = mean_absolute_error(examples.mean_at(i), examples.target_at(i));
    squares.push_back(error * error);
  }
  return squares;
}

WeightedScore squared_error_of(const Examples& examples) {
  return [squares = squared_errors(examples)](std::span<const double> weights) {
    return std::sqrt(weighted_mean(squares, weights));
  };
}

WeightedScore determination_of(const Examples& examples) {
  std::vector<double> targets(examples.targets.begin(), examples.targets.end());
  return [squares = squared_errors(examples), targets = std::move(targets)](std::span<const double> weights) {
    const double mean = weighted_mean(targets, weights);
    double lowest = INFINITY, highest = -INFINITY, left = 0, all = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (weights[i] == 0) continue;
      lowest = std::min(lowest, targets[i]);
      highest = std::max(highest, targets[i]);
      left += weights[i] * squares[i];
      all += weights[i] * (targets[i] - mean) * (targets[i] - mean);
    }
    return lowest < highest ? 1 - left / all : kNan;
  };
}

WeightedScore likelihood_of(const Examples& examples) {
  return mean_of_rows(examples, [&](Index i) {
    return gaussian_negative_log_likelihood(examples.mean_at(i), examples.deviation.subspan(i, 1),
                                            examples.target_at(i));
  });
}

WeightedScore coverage_of(const Examples& examples) {
  const double reach = normal_quantile(0.95);  // both tails: 10 %
  return mean_of_rows(examples, [&](Index i) {
    const double half = reach * examples.deviation[i];
    const double low = examples.mean(i, 0) - half, high = examples.mean(i, 0) + half;
    return interval_coverage({&low, 1}, {&high, 1}, examples.target_at(i));
  });
}

/// Of the validation part, or of all cases out of fold.
IntervalsRest intervals_rest(const StudyOutcome& outcome, const Examination& examined) {
  const std::vector<Index> items = outcome.folds ? outcome.split.test : outcome.split.validation;
  const std::vector<Index> known =
      known_rows_of(outcome.folds ? outcome.test_targets : targets_of(outcome.cases, outcome.target, items));
  const std::vector<Index> groups = entries_of(groups_of_rows(outcome.cases, outcome.target, items), known);
  const Reading& reading = outcome.cases.reading;
  const bool grouped = !outcome.cases.groups.empty(),
             fitted = study_keys().read(outcome.config).calibration != CalibrationMethod::none;
  const ScoreValue& coverage = examined.scores[0][kCoverage];
  return {coverage.value,
          coverage.low,
          coverage.high,
          outcome.model.calibration.kept,
          grouped ? reading.group_noun() : reading.noun,
          fitted ? static_cast<Index>(std::set<Index>(groups.begin(), groups.end()).size()) : 0};
}

class NumberRule final : public TargetRule {
 public:
  std::string_view name() const override { return "number"; }
  Index outputs(const Target&) const override { return 2; }
  Index codes(const Target&) const override { return 0; }
  bool real() const override { return true; }

  learning::Variable<float> loss(const Target&, learning::Variable<float> outputs, const Aims& aims,
                                 float total) const override {
    return learning::gaussian_loss<float>(outputs, aims.targets, std::span<const float>(aims.weights), total);
  }

  Index columns(const Target&) const override { return 1; }
  void to_own_unit(Matrix<double>& outputs, const TargetScale& scale) const override {
    outputs.col(0) = outputs.col(0) * scale.deviation + Vector<double>::Constant(outputs.rows(), scale.mean);
    outputs.col(1).array() += 2 * std::log(scale.deviation);
  }
  Predictions combined(const Target&, std::span<const Matrix<double>> outputs, const Calibration& calibration,
                       const TargetScale& scale) const override {
    return combined_number(outputs, calibration, scale);
  }
  Calibration calibrated(const Target&, std::span<const Matrix<double>> outputs, std::span<const double> targets,
                         CalibrationMethod, const TargetScale& scale) const override {
    Calibration calibration;
    fall_back_to_mean(outputs, targets, scale, calibration);
    calibration.scale = deviation_scale(outputs, targets, calibration, scale);
    return calibration;
  }
  AnswerLine answer_line(const Calibration& calibration, const TargetScale& scale) const override {
    const double kept = calibration.kept;
    return {kept * scale.mean + (1 - kept) * calibration.constant, kept * scale.deviation};
  }

  Index tree_answers(const Target&) const override { return 1; }
  std::vector<BoostedTrees> grown(const Target&, const TreeLesson& lesson) const override {
    if (lesson.boosting == nullptr)
      return {bagged_trees(lesson.rows, lesson.outcomes, lesson.weights, lesson.bagging, lesson.seed)};
    return {boosted_number(lesson.rows, lesson.outcomes, lesson.weights, *lesson.boosting, lesson.seed)};
  }
  /// Trees know no variance: that of the training part, which the calibration scales.
  void trees_to_outputs(bool, Matrix<double>& answers) const override {
    answers.conservativeResize(Eigen::NoChange, 2);
    answers.col(1).setZero();
  }
  std::vector<double> stacked(const Target&, std::span<const Matrix<double>> parts,
                              std::span<const double> targets) const override {
    return stacked_numbers(parts, targets);
  }

  std::vector<ScoreEntry> scores(const Target&, bool) const override {
    return {{{"absolute_error", "mean absolute error", "", 0, kNan}, &absolute_error_of},
            {{"squared_error", "root mean squared error", "", 0, kNan}, &squared_error_of},
            {{"r_squared", "R^2", "", 1, 0}, &determination_of},
            {{"negative_log_likelihood", "negative log likelihood", "Good 1952", kNan, kNan}, &likelihood_of},
            {{"coverage_90", "coverage of the 90 % interval", "", 0.9, kNan}, &coverage_of}};
  }
  Predictions base_rate(const Target&, std::span<const double> known, Index rows) const override {
    const Eigen::Map<const Vector<double>> values(known.data(), static_cast<Index>(known.size()));
    const double mean = values.mean();
    const double deviation = std::sqrt((values.array() - mean).square().mean());
    Predictions predictions = without_spread(Matrix<double>::Constant(rows, 1, mean));
    predictions.deviation.assign(rows, deviation > 0 ? deviation : 1);
    return predictions;
  }
  Predictions ridge(const Target&, const RidgeParts& parts) const override { return ridge_of_number(parts); }

  /// Errors are as the deviations that a correlation leaves: sqrt(1 - r^2) of those of the mean.
  double detectable(const Target&, std::span<const double> known, double each, double chance) const override {
    const double r = detectable_correlation(each * static_cast<double>(known.size()));
    return chance * std::sqrt(1 - r * r);
  }

  void write_first(const StudyOutcome& outcome, const Examination& examined, Results& results) const override {
    results.finding(intervals_rest(outcome, examined));
  }

  std::string header(const Target&, bool) const override { return "prediction,deviation,spread"; }
  std::string cells(const Target&, const Predictions& predictions, Index row) const override {
    return ',' + exact_text(predictions.mean(row, 0)) + ',' + exact_text(predictions.deviation[row]) + ',' +
           exact_text(predictions.spread(row, 0));
  }
};

}  // namespace

const TargetRule& number_rule() {
  static const NumberRule rule;
  return rule;
}

}  // namespace fovea::study

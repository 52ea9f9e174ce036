/// Targets that are 0 or 1: one log-odds a row, of class 1.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/training/ensemble.hpp"
#include "fovea/core/linear/calibration_line.hpp"
#include "fovea/core/statistics/calibration.hpp"
#include "fovea/core/statistics/tests/detectable.hpp"
#include "fovea/core/study/baselines/baselines.hpp"
#include "fovea/core/study/report/curves.hpp"
#include "fovea/core/study/scores/score_table.hpp"
#include "fovea/core/study/targets/probabilities.hpp"
#include "fovea/core/study/targets/rules.hpp"

namespace fovea::study {

namespace {

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

/// Whether the mean logit of class 1 is above that of class 0.
bool in_order(const KnownLogits& known) {
  double sums[2] = {0, 0}, counts[2] = {0, 0};
  for (std::size_t i = 0; i < known.classes.size(); ++i)
    sums[known.classes[i]] += known.logits(static_cast<Index>(i), 0), counts[known.classes[i]] += 1;
  return sums[1] / counts[1] > sums[0] / counts[0];
}

/// A line changes no order: where its slope would not be above 0 it is flat, at the share of class 1.
Calibration calibrated_by_line(std::span<const Matrix<double>> outputs, std::span<const double> targets) {
  const Matrix<double> mean = mean_logits(outputs);
  const KnownLogits known = known_logits({&mean, 1}, targets);
  const auto ones = std::count(known.classes.begin(), known.classes.end(), Index{1});
  if (known.classes.empty()) return {};
  const bool both = ones > 0 && ones < std::ssize(known.classes);
  try {
    const CalibrationLine line =
        fit_calibration_line(std::span(known.logits.data(), known.logits.size()), known.classes);
    if (line.slope > 0) return {1, true, line.intercept, line.slope};
  } catch (const ArgumentError&) {  // no maximum
    if (!both || in_order(known)) return {1, true, 0, 1 / fit_temperature(known.logits, known.classes).temperature};
  }
  return {1, true, log_odds_of(static_cast<double>(ones) / static_cast<double>(known.classes.size())), 0};
}

WeightedScore auroc_of(const Examples& examples) {
  return [order = ranked(examples, 0, 1)](std::span<const double> weights) { return order->auroc(weights); };
}

WeightedScore average_precision_of(const Examples& examples) {
  return
      [order = ranked(examples, 0, 1)](std::span<const double> weights) { return order->average_precision(weights); };
}

std::vector<double> risks_of(const Examples& examples) {
  return {examples.mean.data(), examples.mean.data() + examples.mean.size()};
}

/// A score of risks and outcomes.
ScoreEntry risk_entry(Score score, WeightedScore (*of)(std::vector<double> risks, std::vector<Index> outcomes)) {
  return {std::move(score), [of](const Examples& e) { return of(risks_of(e), e.classes); }};
}

/// What stands in place of the calibration error where each prediction comes with a decision.
std::vector<ScoreEntry> entries_of_decided() {
  return {
      risk_entry({"sized_calibration_error", "calibration error, bins of equal size", "Nguyen & O'Connor 2015", 0, kNan,
                  ScoreRange::floor},
                 &sized_calibration_error_score),
      risk_entry({"calibration_intercept", "calibration intercept", "Cox 1958", 0, kNan}, &calibration_intercept_score),
      risk_entry({"calibration_slope", "calibration slope", "Cox 1958", 1, kNan}, &calibration_slope_score),
      risk_entry({"observed_over_expected", "observed over expected", "", 1, kNan}, &observed_over_expected_score),
      {{"event_1", "smaller of sensitivity and precision", "Silva, Moody, Scott, Celi, Mark 2012", 1, kNan},
       [](const Examples& e) { return event_1_score(e.decisions, e.classes); }},
      risk_entry({"event_2", "Hosmer-Lemeshow H over range of risks", "Silva, Moody, Scott, Celi, Mark 2012", 0, kNan,
                  ScoreRange::floor},
                 &event_2_score)};
}

class BinaryRule final : public TargetRule {
 public:
  std::string_view name() const override { return "binary"; }
  Index outputs(const Target&) const override { return 1; }
  Index codes(const Target&) const override { return 2; }
  bool binary() const override { return true; }

  learning::Variable<float> loss(const Target&, learning::Variable<float> outputs, const Aims& aims,
                                 float total) const override {
    return learning::logistic_loss<float>(outputs, aims.targets, std::span<const float>(aims.weights), total);
  }

  Index columns(const Target&) const override { return 1; }
  Predictions combined(const Target&, std::span<const Matrix<double>> outputs, const Calibration& calibration,
                       const TargetScale&) const override {
    if (calibration.line) return combined_by_line(outputs, calibration);
    const std::vector<Matrix<double>> probabilities = probabilities_at(outputs, calibration.scale);
    Predictions predictions = mixture_of(probabilities);
    add_range(probabilities, predictions);
    return predictions;
  }
  Calibration calibrated(const Target&, std::span<const Matrix<double>> outputs, std::span<const double> targets,
                         CalibrationMethod method, const TargetScale&) const override {
    return method == CalibrationMethod::line ? calibrated_by_line(outputs, targets)
                                             : calibrated_by_temperature(outputs, targets);
  }

  Index tree_answers(const Target&) const override { return 1; }
  std::vector<BoostedTrees> grown(const Target&, const TreeLesson& lesson) const override {
    if (lesson.boosting == nullptr) return forests_of_classes(lesson, 1, 1);
    return {boosted_trees(lesson.rows, lesson.outcomes, lesson.weights, *lesson.boosting, lesson.seed)};
  }
  void trees_to_outputs(bool shares, Matrix<double>& answers) const override {
    if (shares) answers = answers.unaryExpr([](double share) { return log_odds_of(share, kLeastShare); }).eval();
  }
  std::vector<double> stacked(const Target&, std::span<const Matrix<double>> parts,
                              std::span<const double> targets) const override {
    return stacked_codes(parts, targets);
  }

  std::vector<ScoreEntry> scores(const Target&, bool decided) const override {
    std::vector<ScoreEntry> entries{
        {{"auroc", "AUROC", "Hanley & McNeil 1982", 1, 0.5}, &auroc_of},
        {{"average_precision", "average precision", "Davis & Goadrich 2006", 1, kNan}, &average_precision_of},
        {{"brier", "Brier score", "Brier 1950", 0, kNan}, &brier_of},
        {{"log_loss", "log loss", "Good 1952", 0, kNan}, &log_loss_of}};
    if (!decided)
      entries.push_back(
          {{"calibration_error", "calibration error", "Naeini, Cooper, Hauskrecht 2015", 0, kNan, ScoreRange::floor},
           &calibration_error_of});
    else
      for (ScoreEntry& entry : entries_of_decided()) entries.push_back(std::move(entry));
    return entries;
  }
  Predictions base_rate(const Target&, std::span<const double> known, Index rows) const override {
    return class_shares(known, 1, 1, rows);
  }
  Predictions ridge(const Target&, const RidgeParts& parts) const override { return ridge_of_classes(1, parts); }
  double detectable(const Target&, std::span<const double> known, double each, double) const override {
    const auto ones = each * static_cast<double>(std::count(known.begin(), known.end(), 1.0));
    return detectable_auroc(ones, each * static_cast<double>(known.size()) - ones);
  }

  std::string header(const Target&, bool decided) const override {
    return decided ? "probability,spread,low,high,decision" : "probability,spread,low,high";
  }
  std::string cells(const Target&, const Predictions& predictions, Index row) const override {
    return concat(',', exact_text(predictions.mean(row, 0)), ',', exact_text(predictions.spread(row, 0)), ',',
                  exact_text(predictions.low[row]), ',', exact_text(predictions.high[row]),
                  predictions.decisions.empty() ? "" : ',' + exact_text(predictions.decisions[row]));
  }
  /// Where there are decisions, folds show reliability in bins of equal size (write_folds()).
  void write_curves(const StudyOutcome& outcome, const Examination& examined, Results& results) const override {
    write_binary_curves(outcome, examined, results);
    if (outcome.predictions.decisions.empty()) write_reliability(outcome, examined, results);
  }
};

}  // namespace

const TargetRule& binary_rule() {
  static const BinaryRule rule;
  return rule;
}

}  // namespace fovea::study

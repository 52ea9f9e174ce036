/// Targets that are one of several classes: a logit each.

#include <algorithm>
#include <memory>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/dataset_csv.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/core/statistics/tests/detectable.hpp"
#include "fovea/core/study/baselines/baselines.hpp"
#include "fovea/core/study/report/curves.hpp"
#include "fovea/core/study/scores/score_table.hpp"
#include "fovea/core/study/targets/probabilities.hpp"
#include "fovea/core/study/targets/rules.hpp"

namespace fovea::study {

namespace {

WeightedScore accuracy_of(const Examples& examples) {
  return mean_of_rows(examples,
                      [&](Index i) { return accuracy(examples.mean.middleRows(i, 1), examples.class_at(i)); });
}

/// The mean over the classes that some rows belong to and some do not.
WeightedScore macro_auroc_of(const Examples& examples) {
  std::vector<std::shared_ptr<const RankedOutcomes>> orders;
  for (Index c = 0; c < examples.mean.cols(); ++c) orders.push_back(ranked(examples, c, c));
  return [orders = std::move(orders)](std::span<const double> weights) {
    std::vector<double> areas;
    for (const auto& order : orders) areas.push_back(order->auroc(weights));
    return mean_with_error(areas).mean;
  };
}

class ClassesRule final : public TargetRule {
 public:
  std::string_view name() const override { return "classes"; }
  Index outputs(const Target& target) const override { return static_cast<Index>(target.classes.size()); }
  Index codes(const Target& target) const override { return outputs(target); }
  bool named() const override { return true; }

  learning::Variable<float> loss(const Target&, learning::Variable<float> outputs, const Aims& aims,
                                 float total) const override {
    return learning::cross_entropy_loss<float>(outputs, aims.classes, std::span<const float>(aims.weights), total);
  }

  Index columns(const Target& target) const override { return outputs(target); }
  Predictions combined(const Target&, std::span<const Matrix<double>> outputs, const Calibration& calibration,
                       const TargetScale&) const override {
    return mixture_of(probabilities_at(outputs, calibration.scale));
  }
  Calibration calibrated(const Target&, std::span<const Matrix<double>> outputs, std::span<const double> targets,
                         CalibrationMethod, const TargetScale&) const override {
    return calibrated_by_temperature(outputs, targets);
  }

  Index tree_answers(const Target& target) const override { return outputs(target); }
  std::vector<BoostedTrees> grown(const Target& target, const TreeLesson& lesson) const override {
    if (lesson.boosting == nullptr) return forests_of_classes(lesson, 0, outputs(target));
    return boosted_classes(lesson.rows, lesson.outcomes, lesson.weights, outputs(target), *lesson.boosting,
                           lesson.seed);
  }
  void trees_to_outputs(bool shares, Matrix<double>& answers) const override {
    if (shares)
      answers = answers.unaryExpr([](double share) { return logarithm(std::max(share, kLeastShare)); }).eval();
  }
  std::vector<double> stacked(const Target&, std::span<const Matrix<double>> parts,
                              std::span<const double> targets) const override {
    return stacked_codes(parts, targets);
  }

  std::vector<ScoreEntry> scores(const Target&, bool) const override {
    return {{{"accuracy", "accuracy", "", 1, kNan}, &accuracy_of},
            {{"log_loss", "log loss", "Good 1952", 0, kNan}, &log_loss_of},
            {{"brier", "Brier score, summed over classes", "Brier 1950", 0, kNan}, &brier_of},
            {{"calibration_error", "calibration error of the largest probability", "Guo, Pleiss, Sun, Weinberger 2017",
              0, kNan, ScoreRange::floor},
             &calibration_error_of},
            {{"macro_auroc", "AUROC, mean of one against the others", "Fawcett 2006", 1, 0.5}, &macro_auroc_of}};
  }
  Predictions base_rate(const Target& target, std::span<const double> known, Index rows) const override {
    return class_shares(known, 0, outputs(target), rows);
  }
  Predictions ridge(const Target& target, const RidgeParts& parts) const override {
    return ridge_of_classes(outputs(target), parts);
  }

  double detectable(const Target&, std::span<const double> known, double each, double chance) const override {
    return detectable_accuracy(each * static_cast<double>(known.size()), chance);
  }

  std::string header(const Target& target, bool) const override {
    std::string text = "class,";
    for (const std::string& one : target.classes) text += csv_text(target.probability_prefix + one) + ',';
    return text + "spread";
  }
  std::string cells(const Target& target, const Predictions& predictions, Index row) const override {
    const auto mean = predictions.mean.row(row);
    Index likeliest = 0;
    mean.maxCoeff(&likeliest);
    std::string text = ',' + csv_text(target.classes[likeliest]);
    for (Index k = 0; k < mean.size(); ++k) text += ',' + exact_text(mean(k));
    return text + ',' + exact_text(predictions.spread(row, likeliest));
  }
  void write_curves(const StudyOutcome& outcome, const Examination& examined, Results& results) const override {
    write_reliability(outcome, examined, results);
  }
};

}  // namespace

const TargetRule& classes_rule() {
  static const ClassesRule rule;
  return rule;
}

}  // namespace fovea::study

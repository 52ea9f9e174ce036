/// Targets that are when and how a case ends (hazards/hazard_target.hpp).

#include <algorithm>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/dataset_csv.hpp"
#include "fovea/core/statistics/tests/detectable.hpp"
#include "fovea/core/study/baselines/hazard_baselines.hpp"
#include "fovea/core/study/hazards/hazard_scores.hpp"
#include "fovea/core/study/hazards/hazard_target.hpp"
#include "fovea/core/study/report/hazard_report.hpp"
#include "fovea/core/study/scores/score_table.hpp"
#include "fovea/core/study/targets/hazard_trees.hpp"
#include "fovea/core/study/targets/rules.hpp"

namespace fovea::study {

namespace {

class HazardsRule final : public TargetRule {
 public:
  std::string_view name() const override { return "hazards of ends"; }
  Index outputs(const Target& target) const override { return intervals_of(target) * (ends_of(target) + 1); }
  Index codes(const Target& target) const override { return outputs(target) + 1; }
  bool legible() const override { return false; }
  /// How a case ends: by when would be too many strata.
  Index stratum(const Target& target, Index code) const override { return code % (ends_of(target) + 1); }

  void complete(const Target& target, std::span<const double> codes, Aims& aims) const override {
    aims.hazards = hazards_of_codes(target, codes);
  }
  learning::Variable<float> loss(const Target& target, learning::Variable<float> outputs, const Aims& aims,
                                 float total) const override {
    return learning::hazard_loss<float>(outputs, ends_of(target), aims.hazards, std::span<const float>(aims.weights),
                                        total);
  }

  Index columns(const Target& target) const override { return intervals_of(target) * ends_of(target); }
  Predictions combined(const Target& target, std::span<const Matrix<double>> outputs, const Calibration& calibration,
                       const TargetScale&) const override {
    return combined_hazards(target, outputs, calibration.shifts);
  }
  Calibration calibrated(const Target& target, std::span<const Matrix<double>> outputs, std::span<const double> targets,
                         CalibrationMethod, const TargetScale&) const override {
    return {1, false, 0, 1, hazard_shifts(target, outputs, targets)};
  }
  Index shifts(const Target& target) const override { return ends_of(target); }

  Index tree_answers(const Target& target) const override { return ends_of(target) + 1; }
  Index tree_questions(const Target& target) const override { return intervals_of(target); }
  std::vector<BoostedTrees> grown(const Target& target, const TreeLesson& lesson) const override {
    return hazard_trees(target, lesson);
  }
  void trees_to_outputs(bool shares, Matrix<double>& answers) const override {
    if (shares) answers = hazard_logits(answers);
  }
  std::vector<double> stacked(const Target& target, std::span<const Matrix<double>> parts,
                              std::span<const double> targets) const override {
    return stacked_hazards(target, parts, targets);
  }

  /// Of each end, then of all.
  std::vector<ScoreEntry> scores(const Target& target, bool) const override {
    using Prepare = WeightedScore (*)(const Target&, const Matrix<double>&, std::span<const double>, Index);
    const std::vector<std::pair<Score, Prepare>> of_an_end{
        {{"concordance", "C-index", "Harrell, Califf, Pryor, Lee, Rosati 1982", 1, 0.5}, &hazard_concordance_score},
        {{"horizon_auroc", "AUROC by the horizon", "Uno, Cai, Tian, Wei 2007", 1, 0.5}, &hazard_auroc_score},
        {{"horizon_brier", "Brier score by the horizon", "Graf, Schmoor, Sauerbrei, Schumacher 1999", 0, kNan},
         &hazard_brier_score},
        {{"horizon_observed", "observed over expected by the horizon", "Aalen & Johansen 1978", 1, kNan},
         &hazard_observed_score}};
    std::vector<ScoreEntry> entries;
    for (std::size_t end = 1; end <= target.classes.size(); ++end)
      for (auto [score, prepare] : of_an_end) {
        if (end > 1) score.name += concat("_", end);
        if (target.classes.size() > 1) score.title += concat(" of '", target.classes[end - 1], "'");
        entries.push_back({score, [prepare = prepare, end](const Examples& e) {
                             return prepare(e.target, e.mean, e.targets, static_cast<Index>(end));
                           }});
      }
    entries.push_back({{"negative_log_likelihood", "negative log likelihood", "Good 1952", 0, kNan},
                       [](const Examples& e) { return hazard_likelihood_score(e.target, e.mean, e.targets); }});
    return entries;
  }
  Predictions base_rate(const Target& target, std::span<const double> known, Index rows) const override {
    return hazard_base_rate(target, known, rows);
  }
  Predictions ridge(const Target& target, const RidgeParts& parts) const override {
    return hazard_ridge(target, parts);
  }

  /// Of the first end, whose concordance is taken for an area under a ROC curve of those that it came to.
  double detectable(const Target& target, std::span<const double> known, double each, double) const override {
    const auto ended = [&](double code) { return stratum(target, static_cast<Index>(code)) == 1; };
    const auto ends = each * static_cast<double>(std::count_if(known.begin(), known.end(), ended));
    return detectable_auroc(ends, each * static_cast<double>(known.size()) - ends);
  }

  std::string header(const Target& target, bool) const override {
    std::string text;
    for (Index t = 1; t <= intervals_of(target); ++t)
      for (const std::string& end : target.classes)
        text += csv_text(concat("p_", end, "_by_", exact_text(target.edges[t]))) + ',';
    return text + "spread";
  }
  std::string cells(const Target& target, const Predictions& predictions, Index row) const override {
    std::string text;
    for (Index k = 0; k < predictions.mean.cols(); ++k) text += ',' + exact_text(predictions.mean(row, k));
    return text + ',' + exact_text(predictions.spread(row, incidence_column(target, intervals_of(target) - 1, 1)));
  }
  void write_first(const StudyOutcome& outcome, const Examination& examined, Results& results) const override {
    write_hazards(outcome, examined, results);
  }
};

}  // namespace

const TargetRule& hazards_rule() {
  static const HazardsRule rule;
  return rule;
}

}  // namespace fovea::study

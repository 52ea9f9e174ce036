/// The verdict of a study, and the facts that it is made of.

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/calibration.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/core/study/report/doubts.hpp"
#include "fovea/core/study/report/fold_findings.hpp"
#include "fovea/core/study/report/number_findings.hpp"
#include "fovea/core/study/report/one_input.hpp"
#include "fovea/core/study/report/study_report.hpp"
#include "fovea/core/study/report/use_findings.hpp"

namespace fovea::study {

namespace {

bool is_flat(const Calibration& calibration) { return calibration.line && calibration.slope == 0; }

FlatCalibration flat_calibration(const StudyOutcome& outcome) {
  const bool final_model = is_flat(outcome.model.calibration);
  if (!outcome.folds) return {0, 0, final_model};
  const auto& folds = outcome.folds->models;
  const auto flat =
      std::count_if(folds.begin(), folds.end(), [](const FoldModel& fold) { return is_flat(fold.calibration); });
  return {static_cast<std::size_t>(flat), folds.size(), final_model};
}

SmallestFound smallest_found(const StudyOutcome& outcome, const Examination& examined) {
  const std::vector<Index> rows = known_rows_of(outcome.test_targets);
  const std::vector<Index> groups = entries_of(groups_of_rows(outcome.cases, outcome.target, outcome.split.test), rows);
  const std::size_t cases = groups.size(), different = std::set<Index>(groups.begin(), groups.end()).size();
  const double of_chance = scores_of(outcome.target).front().chance;
  const double chance = std::isnan(of_chance) ? examined.scores[2].front().value : of_chance;
  const double each = static_cast<double>(different) / static_cast<double>(std::max<std::size_t>(1, cases));
  return {cases, different, outcome.target.rule().detectable(outcome.target, examined.targets, each, chance)};
}

/// Mean over all replicas of one entry of an array whose own places come last.
double pooled(const Dataset& data, const std::string& name, std::size_t places, std::size_t place) {
  const std::vector<double>& values = data.at(name).reals();
  double sum = 0, count = 0;
  for (std::size_t i = place; i < values.size(); i += places) sum += values[i], ++count;
  return sum / count;
}

/// In how many points of a sweep it was found; 1 where the run has one point.
std::size_t runs_of(const Finding& finding) { return std::max<std::size_t>(1, finding.points.size()); }

std::size_t runs_with(const Results& merged, std::string_view kind) {
  std::size_t runs = 0;
  for (const Finding& finding : merged.findings())
    if (finding.kind == kind) runs += runs_of(finding);
  return runs;
}

/// A predictor's name within a sentence, and its main score over all runs.
struct Named {
  std::string name;
  double value;
};

/// The one input of most runs, and the mean of its scores.
Named one_input_of_runs(const Results& merged) {
  Named found{"", 0};
  std::size_t most = 0, all = 0;
  for (const Finding& finding : merged.findings()) {
    if (finding.kind != OneInput::kKind) continue;
    const auto one = finding_as<OneInput>(finding);
    const std::size_t runs = runs_of(finding);
    if (runs > most) most = runs, found.name = one.name;
    found.value += one.value * static_cast<double>(runs);
    all += runs;
  }
  found.value = all > 0 ? found.value / static_cast<double>(all) : std::nan("");
  return found;
}

BaseRateInstead base_rate_instead(const Results& merged) {
  BaseRateInstead sum{0, 0, merged.data.at("calibration_scale").size(), 0};
  for (const Finding& finding : merged.findings()) {
    if (finding.kind != FlatCalibration::kKind) continue;
    const auto one = finding_as<FlatCalibration>(finding);
    sum.flat += one.flat * runs_of(finding);
    sum.folds = one.folds * sum.runs;
    sum.final_models += one.final_model ? runs_of(finding) : 0;
  }
  return sum;
}

/// StudyScore::out_of_fold of all runs.
Index out_of_fold(const Results& merged) {
  if (!merged.data.has("fold")) return 0;
  if (runs_with(merged, BlocksInTime::kKind) == merged.data.at("calibration_scale").size()) return 3;
  return runs_with(merged, NotAllTested::kKind) > 0 ? 2 : 1;
}

/// The predictors but the base rate, as a sentence calls them.
std::vector<Named> rivals(const Results& merged, std::size_t scores) {
  const auto& predictors = std::get<std::vector<std::string>>(merged.data.at("predictor").values);
  std::vector<Named> all;
  for (std::size_t p = 0; p < predictors.size(); ++p)
    if (predictors[p] != kPredictors[2])
      all.push_back({predictors[p] == kPredictors[1] ? "the ridge model" : predictors[p],
                     pooled(merged.data, "score_value", scores * predictors.size(), p * scores)});
  return all;
}

/// The best of them; NaN is the worst.
Named best_of(const std::vector<Named>& all, bool less) {
  return *std::max_element(all.begin(), all.end(), [&](const Named& a, const Named& b) {
    return std::isnan(a.value) ? !std::isnan(b.value) : less ? a.value > b.value : a.value < b.value;
  });
}

}  // namespace

void write_doubts(const StudyOutcome& outcome, const Examination& examined, Results& results) {
  results.finding(flat_calibration(outcome));
  results.finding(smallest_found(outcome, examined));
  if (!examined.targets.empty()) results.finding(one_input(outcome, examined));
}

std::optional<AgainstChance> not_better(const Results& merged) {
  if (const auto same = merged.found<NoBetterThanChance>()) return *same;
  if (const auto worse = merged.found<WorseThanChance>()) return *worse;
  return std::nullopt;
}

void conclude_study(Results& merged) {
  const Dataset& data = merged.data;
  const auto& names = std::get<std::vector<std::string>>(data.at("score").values);
  const auto& predictors = std::get<std::vector<std::string>>(data.at("predictor").values);
  const std::size_t scores = names.size(), places = scores * predictors.size();
  const double fixed = data.has("score_chance") ? data.at("score_chance").reals().front() : std::nan(""),
               best = data.at("score_best").reals().front();
  AgainstChance score{names.front(),
                      pooled(data, "score_value", places, 0),
                      pooled(data, "score_low", places, 0),
                      pooled(data, "score_high", places, 0),
                      std::isnan(fixed) ? pooled(data, "score_value", places, 2 * scores) : fixed,
                      pooled(data, "score_value", places, scores),
                      std::isnan(fixed) ? "the base rate" : "chance",
                      false};
  score.less = best < score.chance;
  if (merged.finding(NotEvaluable{score.measure, score.value, score.low})) return;
  std::vector<Named> all = rivals(merged, scores);
  const Named input = one_input_of_runs(merged);
  all.push_back({concat("'", input.name, "' alone"), input.value});
  const Named rival = best_of({all.begin() + 1, all.end()}, score.less);
  merged.finding(SimplerIsBetter{score.measure, rival.name, rival.value, score.value, score.low, score.high,
                                 score.chance, score.less});
  merged.finding(WorseThanChance{score});
  merged.finding(NoBetterThanChance{score});
  NamedNumbers beside;
  for (std::size_t p = kPredictors.size(); p < predictors.size(); ++p)
    beside.emplace_back(predictors[p], pooled(data, "score_value", places, p * scores));
  merged.finding(StudyScore{score, beside, out_of_fold(merged)});
  const Named first = best_of({all.rbegin(), all.rend()}, score.less);  // of equal ones the one input
  merged.finding(NearlyPerfect{score.measure, first.name, first.value, score.chance, best});
  if (const auto smallest = merged.found<SmallestFound>())
    merged.finding(FewCases{score.measure, smallest->cases, smallest->groups, smallest->value, score.chance, best,
                            score.is_better()});
  if (merged.found<BlocksInTime>())
    merged.finding(BaseRateInBlocks{base_rate_instead(merged), out_of_fold(merged) != 3});
  else
    merged.finding(base_rate_instead(merged));
  merged.finding(UselessProbabilities{runs_with(merged, TemperatureAtItsLimit::kKind),
                                      data.at("calibration_scale").size(), kLargestTemperature});
}

std::vector<FindingKind> study_finding_kinds() {
  return finding_kinds<BaseRateInBlocks, BaseRateInstead, BlocksInTime, CalibrationAlike, CalibrationDiffers,
                       CalibrationNotCompared, FewCases, FlatCalibration, IntervalsRest, MixtureWeights, NearlyPerfect,
                       NetBenefit, NoBetterThanChance, NoNetBenefit, NotAllTested, NotEvaluable, OneInput,
                       SimplerIsBetter, SmallestFound, StudyScore, TemperatureAtItsLimit, TreesNotCompared,
                       UncalibratedFolds, UselessProbabilities, WorseThanChance>();
}

}  // namespace fovea::study

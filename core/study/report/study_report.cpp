#include "fovea/core/study/report/study_report.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/learning/training/training_curves.hpp"
#include "fovea/core/statistics/calibration.hpp"
#include "fovea/core/study/cases/reading_findings.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/report/curves.hpp"
#include "fovea/core/study/report/doubts.hpp"
#include "fovea/core/study/report/fold_report.hpp"
#include "fovea/core/study/report/report_sheet.hpp"
#include "fovea/core/study/report/two_outcomes.hpp"
#include "fovea/core/study/trained/study_keys.hpp"

namespace fovea::study {

std::vector<std::string> StudyOutcome::predictors() const {
  std::vector<std::string> names = kPredictors;
  if (!model.trees) return names;
  names[0] = "attention with trees";
  names.emplace_back("attention alone");
  for (std::string& name : part_names(*model.trees)) names.push_back(std::move(name));
  return names;
}

std::string StudyOutcome::things() const {
  return (target.level == TargetLevel::per_token ? cases.reading.token : cases.reading.noun) + 's';
}
std::string StudyOutcome::tested() const { return folds ? "of the predictions out of fold" : "on the test part"; }

namespace {

std::string with_underscores(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

void write_scores(const StudyOutcome& outcome, const Examination& examined, Results& results) {
  const std::vector<Score> scores = scores_of(outcome.target, !outcome.predictions.decisions.empty());
  const std::vector<std::string> predictors = outcome.predictors();
  results.coordinate("predictor", predictors, "", "predictor");
  const auto range = [](const Score& score) {
    return score.range == ScoreRange::floor ? "if exactly right" : "95 % interval";
  };
  rows("score", scores, &Score::title, "score")
      .prefix("score_")
      .number("best", &Score::best, "best possible")
      .number("chance", &Score::chance, "what chance has; not a number: what the base rate has")
      .text("range", range, "low and high")
      .write(results);
  std::vector<ScoreValue> all;
  for (const auto& of_one : examined.scores) all.insert(all.end(), of_one.begin(), of_one.end());
  rows({"predictor", "score"}, all)
      .prefix("score_")
      .interval("value", std::identity(), concat("value ", outcome.tested()))
      .end_names("low", "high")
      .ends("lower end of score_range", "upper end of score_range")
      .write(results);
  for (std::size_t p = 0; p < predictors.size(); ++p)
    rows("score", examined.scores[p])
        .interval("scores_of_" + with_underscores(predictors[p]), std::identity(), predictors[p])
        .ends("low", "high")
        .write(results);
}

/// What low and high are where they are no interval.
std::string note_on_floors(const StudyOutcome& outcome) {
  const std::vector<Score> scores = scores_of(outcome.target, !outcome.predictions.decisions.empty());
  if (std::none_of(scores.begin(), scores.end(), [](const Score& s) { return s.range == ScoreRange::floor; }))
    return "";
  return " Sums of errors over bins are above 0 by chance alone: low and high are then 5 % and 95 % of what they would "
         "be if the risks were exactly right, and a score between them is as good as can be told.";
}

/// The columns of the table of scores: ours with its range, then the others.
std::vector<std::string> score_columns(const std::vector<std::string>& predictors) {
  const std::string ours = "scores_of_" + with_underscores(predictors[0]);
  std::vector<std::string> columns{ours, ours + "_low", ours + "_high", "score_range"};
  for (std::size_t p = 3; p < predictors.size(); ++p) columns.push_back("scores_of_" + with_underscores(predictors[p]));
  columns.insert(columns.end(), {"scores_of_ridge", "scores_of_base_rate"});
  return columns;
}

/// Of attention and of each kind of trees, in the model that is kept.
void write_mixture(const StudyOutcome& outcome, Results& results) {
  if (!outcome.model.trees) return;
  const Companion& companion = *outcome.model.trees;
  NamedNumbers weights{{"attention", companion.own()}};
  for (const CompanionPart& part : companion.parts)
    weights.emplace_back(part.boosted ? "boosted trees" : "random forest", part.weight);
  rows("mixed", weights, &NamedNumbers::value_type::first, "part of the mixture")
      .number("mixture_weight", &NamedNumbers::value_type::second, "weight in the mixture")
      .write(results);
  if (study_keys().read(outcome.config).trees.mixing == TreeMixing::stacked)
    results.finding(MixtureWeights{weights, outcome.folds ? "on the cases out of fold" : "on the validation part"});
}

/// Of a model without attention of tokens: the two methods that are left.
void write_two_attributions(const Explanation& explanation, Results& results) {
  results.coordinate("attribution", std::vector<std::string>(kAttributions.begin() + 1, kAttributions.end()), "",
                     "attribution");
  results.add("attribution_agreement", {"attribution"}, std::vector<double>{explanation.agreement(1, 2), 1}, "1",
              "rank correlation with deletion");
  std::vector<std::string> columns{"attribution_agreement"};
  if (!std::isnan(explanation.stability[2])) {
    results.add("attribution_stability", {"attribution"},
                std::vector<double>{explanation.stability[1], explanation.stability[2]}, "1",
                "the same between members");
    columns.emplace_back("attribution_stability");
  }
  results.figure(
      {.kind = "table",
       .name = "agreement",
       .title = "Agreement of the attribution methods",
       .caption = concat("Spearman's rank correlation of the tokens' attributions, mean over what is explained",
                         columns.size() > 1 ? "; members differ by their seed." : "."),
       .variables = columns,
       .x = "attribution",
       .digits = 3});
}

void write_explanation(const StudyOutcome& outcome, const Explanation& explanation, Results& results) {
  if (explanation.items.empty()) return;
  const bool classed = !outcome.model.preparation.classes.empty();
  std::vector<std::string> features = outcome.model.preparation.classes;
  if (!classed)
    for (const Feature& feature : outcome.model.preparation.features) features.push_back(feature.name);
  results.coordinate("feature", features, "", classed ? "variable" : "feature");
  results.add("attributed_by_gradient", {"feature"}, explanation.by_gradient, "1", "gradient x input");
  results.add("attributed_by_deletion", {"feature"}, explanation.by_deletion, "1", "deletion");
  results.figure({.kind = "table",
                  .name = "attributions",
                  .title = classed ? "Attributions of the variables" : "Feature attributions",
                  .caption = concat("Mean absolute attribution of each ", classed ? "variable" : "feature",
                                    " to the explained output, over ", explanation.items.size(), ' ',
                                    outcome.cases.reading.nouns(), " that were not learned from, and all members",
                                    outcome.model.trees ? " of attention alone." : "."),
                  .variables = {"attributed_by_gradient", "attributed_by_deletion"},
                  .x = "feature",
                  .digits = 3});
  if (!explanation.has_attention) return write_two_attributions(explanation, results);
  const std::vector<std::string> methods(kAttributions.begin(), kAttributions.end());
  results.coordinate("attribution", methods, "", "attribution");
  results.coordinate("other_attribution", methods, "", "attribution");
  results.add("attribution_agreement", {"attribution", "other_attribution"},
              std::vector<double>(explanation.agreement.data(), explanation.agreement.data() + 9), "1",
              "Spearman's rank correlation of the attributions of a case's tokens");
  results.add("attribution_stability", {"attribution"}, explanation.stability, "1",
              "Spearman's rank correlation between members");
  results.figure({.kind = "heatmap",
                  .name = "agreement",
                  .title = "Agreement of the attribution methods",
                  .caption = "Spearman's rank correlation of the tokens' attributions. Attention with a low "
                             "correlation with deletion does not explain the predictions.",
                  .variables = {"attribution_agreement"},
                  .x = "other_attribution",
                  .y = "attribution"});
}

/// What the ridge model learns from (mean_inputs()).
std::string ridge_meaning(const StudyOutcome& outcome) {
  const Reading& reading = outcome.cases.reading;
  if (outcome.target.level == TargetLevel::per_token)
    return concat("A linear model on the features of each ", reading.token, " alone.");
  if (outcome.cases.classes.empty()) return concat("A linear model on the mean features of each ", reading.noun, ".");
  return concat("A linear model on the mean value of each variable in a ", reading.noun, ", and on its number of ",
                reading.token, "s.");
}

void write_headlines(const StudyOutcome& outcome, const Examination& examined, Results& results) {
  const TargetRule& rule = outcome.target.rule();
  const Score main = scores_of(outcome.target).front();
  const ScoreValue& ours = examined.scores.front().front();
  const auto separate = results.found<TestIsSeparate>();
  results.scalar(main.name, ours.value, "1", main.title + ' ' + outcome.tested());
  results.scalar(main.name + "_half_width", (ours.high - ours.low) / 2, "1", "half of its 95 % interval");
  results.scalar("ridge_" + main.name, examined.scores[1].front().value, "1", main.title + " of the ridge model");
  results.headline(
      {.variable = main.name,
       .label = main.title,
       .predicted = "",
       .half_width = main.name + "_half_width",
       .meaning = outcome.folds && outcome.folds->in_time()
                      ? concat("Of all ", outcome.things(),
                               " in blocks in time, each predicted by what was known when "
                               "its block began.")
                  : outcome.folds ? concat("Of all ", outcome.folds->tests_all() ? "" : "tested ", outcome.things(),
                                           ", each predicted by models that did not learn from it.")
                  : separate && separate->untold == 0 ? "On the test part, none of which was used for training."
                                                      : "On the test part."});
  results.headline({.variable = "ridge_" + main.name,
                    .label = main.title + ", ridge model",
                    .predicted = "",
                    .half_width = "",
                    .meaning = ridge_meaning(outcome)});
  results.scalar("training_cases", static_cast<double>(outcome.split.training.size()), "1",
                 outcome.folds ? "training cases of the final model" : "training cases");
  results.scalar("validation_cases", static_cast<double>(outcome.split.validation.size()), "1",
                 "validation cases: choice of the epoch, and calibration");
  results.scalar("test_cases",
                 static_cast<double>(outcome.folds ? outcome.folds->tested() : std::ssize(outcome.split.test)), "1",
                 outcome.folds ? "cases, each tested in its fold" : "test cases");
  results.scalar("calibration_scale", outcome.model.calibration.scale, "1",
                 rule.real()                       ? "factor of the predicted deviations"
                 : rule.shifts(outcome.target) > 0 ? "not used: hazards have a shift of each end"
                 : outcome.model.calibration.line  ? "not used: calibrated by a line"
                                                   : "temperature");
  if (!rule.real() && rule.shifts(outcome.target) == 0 && !outcome.model.calibration.line)
    results.finding(TemperatureAtItsLimit{outcome.model.calibration.scale, kLargestTemperature});
}

/// What risks of two outcomes are worth, and for whom.
void write_use(const StudyOutcome& outcome, const Examination& examined, Results& results) {
  const std::optional<TwoOutcomes> tested = two_outcomes(outcome, examined);
  if (!tested) return;
  const Random random = Random(outcome.config.seed.value_or(1)).stream("examination");
  write_net_benefit(outcome, *tested, random.stream("net benefit"), results);
  write_subgroups(outcome.cases, *tested, !outcome.config.preview, random.stream("subgroups"), results);
}

}  // namespace

void write_study(const StudyOutcome& outcome, const Examination& examined, const Explanation& explanation,
                 const std::vector<learning::TrainingReport>& reports, const Random& random, Results& results) {
  write_headlines(outcome, examined, results);
  write_doubts(outcome, examined, results);
  outcome.target.rule().write_first(outcome, examined, results);
  write_scores(outcome, examined, results);
  results.figure({.kind = "table",
                  .name = "scores",
                  .title = "Comparison with simpler models",
                  .caption = concat(outcome.folds && outcome.folds->in_time()
                                        ? "Of predictions out of fold, pooled over blocks in time"
                                    : outcome.folds ? "Of predictions out of fold, pooled over folds"
                                                    : "On the test part, evaluated once",
                                    "; 95 % intervals by bootstrap over groups.", note_on_floors(outcome)),
                  .variables = score_columns(outcome.predictors()),
                  .x = "score",
                  .digits = 3});
  write_mixture(outcome, results);
  outcome.target.rule().write_curves(outcome, examined, results);
  if (outcome.folds) write_folds(outcome, examined, random, results);
  write_use(outcome, examined, results);
  write_missing(outcome.cases.reading, results);
  write_explanation(outcome, explanation, results);
  if (outcome.folds) learning::add_ensemble_curves(results, "final", reports);
  for (std::size_t m = 0; !outcome.folds && m < reports.size(); ++m)
    learning::add_learning_curves(results, concat("member_", m + 1), reports[m]);
  if (!outcome.config.preview) write_sheet(outcome, examined, results);
}

}  // namespace fovea::study

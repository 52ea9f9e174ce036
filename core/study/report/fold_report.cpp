#include "fovea/core/study/report/fold_report.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/statistics/calibration_line.hpp"
#include "fovea/core/statistics/equal_bins.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/ensemble/rows.hpp"

namespace fovea::study {

namespace {

constexpr Index kSizedBins = 10;

/// Risks and outcomes of rows with a known target.
struct KnownRisks {
  std::vector<double> risks;
  std::vector<Index> outcomes;
};

KnownRisks risks_in_rows(const StudyOutcome& outcome, const std::vector<Index>& rows) {
  KnownRisks known;
  for (const Index row : rows) {
    const double y = outcome.test_targets[row];
    if (std::isnan(y)) continue;
    known.risks.push_back(outcome.predictions.mean(row, 0));
    known.outcomes.push_back(static_cast<Index>(y));
  }
  return known;
}

/// A value of each fold, its mean and its standard deviation over folds (n - 1).
void write_over_folds(Results& results, const std::string& name, const std::string& title,
                      const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  results.add("fold_" + name, {"fold"}, values, "1", title);
  results.scalar(name + "_over_folds", mean, "1", title + ", mean over folds");
  results.scalar(name + "_deviation", std::sqrt(squares / static_cast<double>(values.size() - 1)), "1",
                 title + ", standard deviation over folds");
}

void write_binary_folds(const StudyOutcome& outcome, Results& results) {
  std::vector<double> auroc, precision, threshold;
  for (const FoldModel& fold : outcome.folds->models) {
    const KnownRisks known = risks_in_rows(outcome, target_rows(outcome.cases, outcome.target, fold.split.test));
    const RankedOutcomes order(known.risks, known.outcomes);
    const std::vector<double> once(known.risks.size(), 1.0);
    auroc.push_back(order.auroc(once));
    precision.push_back(order.average_precision(once));
    threshold.push_back(fold.threshold.value_or(kNan));
  }
  write_over_folds(results, "auroc", "AUROC", auroc);
  write_over_folds(results, "average_precision", "average precision", precision);
  results.add("fold_threshold", {"fold"}, threshold, "1", "threshold of the decision, from the other folds");
  results.scalar("threshold", outcome.model.threshold.value_or(kNan), "1",
                 "probability from which on the final model decides for class 1");
}

/// Of each tenth 5 % and 95 % of the observed frequencies that outcomes drawn from the risks have.
void write_floor_of_tenths(const KnownRisks& known, const Random& random, Results& results) {
  constexpr Index kDraws = 400;
  std::vector<std::vector<double>> observed(kSizedBins);
  std::vector<Index> outcomes(known.risks.size());
  for (Index draw = 0; draw < kDraws; ++draw) {
    for (std::size_t i = 0; i < outcomes.size(); ++i)
      outcomes[i] = random.uniform(i, static_cast<std::uint64_t>(draw)) < known.risks[i] ? 1 : 0;
    const std::vector<ReliabilityBin> bins = equal_sized_bins(known.risks, outcomes, kSizedBins);
    for (std::size_t b = 0; b < bins.size(); ++b) observed[b].push_back(bins[b].observed);
  }
  std::vector<double> low, high;
  for (std::vector<double>& of_tenth : observed) {
    std::sort(of_tenth.begin(), of_tenth.end());
    low.push_back(sorted_quantile(of_tenth, 0.05));
    high.push_back(sorted_quantile(of_tenth, 0.95));
  }
  results.add("tenth_floor_low", {"tenth"}, low, "1", "if risks were exactly right, 90 % of draws");
  results.add("tenth_floor_high", {"tenth"}, high, "1", "if risks were exactly right, 90 % of draws");
}

void write_sized_bins(const KnownRisks& known, const Random& random, Results& results) {
  if (static_cast<Index>(known.risks.size()) < kSizedBins) return;
  std::vector<double> predicted, observed, line;
  const auto ones = std::count(known.outcomes.begin(), known.outcomes.end(), Index{1});
  std::vector<double> log_odds;
  for (const double p : known.risks) log_odds.push_back(log_odds_of(p));
  CalibrationLine fitted;
  fitted.intercept = fitted.slope = kNan;
  try {
    if (ones > 0) fitted = fit_calibration_line(log_odds, known.outcomes);
  } catch (const ArgumentError&) {  // no line is most likely: the figure goes without
  }
  for (const ReliabilityBin& bin : equal_sized_bins(known.risks, known.outcomes, kSizedBins)) {
    predicted.push_back(bin.predicted);
    observed.push_back(bin.observed);
    line.push_back(std::isnan(fitted.slope) ? kNan : fitted.probability(log_odds_of(bin.predicted)));
  }
  std::vector<double> number;
  for (std::size_t b = 0; b < predicted.size(); ++b) number.push_back(static_cast<double>(b + 1));
  results.coordinate("tenth", number, "1", "tenth of the cases, by predicted probability");
  results.add("tenth_predicted", {"tenth"}, predicted, "1", "mean predicted probability");
  results.add("tenth_observed", {"tenth"}, observed, "1", "observed frequency");
  results.add("tenth_line", {"tenth"}, line, "1", "calibration line");
  write_floor_of_tenths(known, random, results);
  results.figure({.kind = "lines",
                  .name = "reliability",
                  .title = "Reliability",
                  .caption = concat("Observed frequency and mean predicted probability in tenths of the cases by "
                                    "predicted probability, out of fold. The calibration line has intercept ",
                                    plain_text(fitted.intercept, 3), " and slope ", plain_text(fitted.slope, 3),
                                    " on the scale of log-odds (0 and 1 are right). Shaded: where 90 % of observed "
                                    "frequencies lie if the risks are exactly right."),
                  .variables = {"tenth_observed", "tenth_line"},
                  .references = {"tenth_predicted"},
                  .x = "tenth",
                  .band_low = "tenth_floor_low",
                  .band_high = "tenth_floor_high",
                  .value_label = "frequency"});
}

/// What the first predictor's scores are where risks are exactly right, of those that have no interval.
void write_floors(const StudyOutcome& outcome, const Examination& examined, Results& results) {
  const std::vector<Score> scores = scores_of(outcome.target, !outcome.predictions.decisions.empty());
  std::string told;
  for (std::size_t s = 0; s < scores.size(); ++s) {
    const ScoreValue& value = examined.scores.front()[s];
    if (scores[s].range != ScoreRange::floor || std::isnan(value.floor)) continue;
    results.scalar(scores[s].name + "_floor", value.floor, "1",
                   scores[s].title + " of risks that are exactly right, mean");
    results.scalar(scores[s].name + "_floor_low", value.low, "1", "5 % of its draws");
    results.scalar(scores[s].name + "_floor_high", value.high, "1", "95 % of its draws");
    told += concat(told.empty() ? "" : ", ", scores[s].title, " = ", plain_text(value.floor, 3), " (",
                   plain_text(value.low, 3), " to ", plain_text(value.high, 3), " in 90 % of draws; here ",
                   plain_text(value.value, 3), ")");
  }
  if (!told.empty()) results.note(concat("If the risks were exactly right, chance alone would give ", told, "."));
}

}  // namespace

void write_folds(const StudyOutcome& outcome, const Examination& examined, const Random& random, Results& results) {
  const CrossValidation& folds = *outcome.folds;
  std::vector<double> numbers, cases;
  for (std::size_t f = 0; f < folds.models.size(); ++f) {
    numbers.push_back(static_cast<double>(f + 1));
    cases.push_back(static_cast<double>(folds.models[f].split.test.size()));
  }
  results.coordinate("fold", numbers, "1", "fold");
  results.add("fold_cases", {"fold"}, cases, "1", "cases of the fold");
  if (!outcome.target.rule().binary()) return;
  write_binary_folds(outcome, results);
  results.figure({.kind = "table",
                  .name = "folds",
                  .title = "Folds",
                  .caption = "Each fold is predicted, calibrated and decided by what was fitted on the others.",
                  .variables = {"fold_cases", "fold_auroc", "fold_average_precision", "fold_threshold"},
                  .x = "fold",
                  .digits = 3});
  const KnownRisks known = risks_in_rows(outcome, first_numbers(outcome.predictions.mean.rows()));
  write_sized_bins(known, random.stream("floor of reliability"), results);
  write_floors(outcome, examined, results);
}

}  // namespace fovea::study

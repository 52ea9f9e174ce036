#include "fovea/core/study/report/fold_report.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/linear/calibration_line.hpp"
#include "fovea/core/statistics/equal_bins.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/core/study/report/doubts.hpp"
#include "fovea/core/study/report/fold_findings.hpp"
#include "fovea/core/study/trained/study_keys.hpp"

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

/// The mean of a value of each fold, and its standard deviation over folds (n - 1); of folds that have it, two at
/// least.
void add_over_folds(Results& results, const std::string& name) {
  const Variable& of_folds = results.data.at("fold_" + name);
  std::vector<double> values = of_folds.reals();
  const std::string title = of_folds.long_name;
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.size() < 2) return;
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  results.scalar(name + "_over_folds", mean, "1", title + ", mean over folds");
  results.scalar(name + "_deviation", std::sqrt(squares / static_cast<double>(values.size() - 1)), "1",
                 title + ", standard deviation over folds");
}

struct FoldScores {
  double auroc = 0, precision = 0;
};

/// Returns whether folds have too few known outcomes to be scored.
bool write_binary_folds(const StudyOutcome& outcome, Results& results) {
  std::vector<FoldScores> scores;
  bool few = false;
  for (const FoldModel& fold : outcome.folds->models) {
    const KnownRisks known = risks_in_rows(outcome, target_rows(outcome.cases, outcome.target, fold.split.test));
    if (known.risks.empty() || std::ssize(known.risks) < outcome.cases.smallest_cell) {
      scores.push_back({kNan, kNan});
      few = few || outcome.cases.smallest_cell > 0;
      continue;
    }
    const RankedOutcomes order(known.risks, known.outcomes);
    const std::vector<double> once(known.risks.size(), 1.0);
    scores.push_back({order.auroc(once), order.average_precision(once)});
  }
  rows("fold", scores)
      .number("fold_auroc", &FoldScores::auroc, "AUROC")
      .number("fold_average_precision", &FoldScores::precision, "average precision")
      .write(results);
  for (const char* name : {"auroc", "average_precision"}) add_over_folds(results, name);
  rows("fold", outcome.folds->models)
      .number(
          "fold_threshold", &FoldModel::threshold,
          concat("threshold of the decision, from ", outcome.folds->in_time() ? "earlier blocks" : "the other folds"))
      .write(results);
  results.scalar("threshold", outcome.model.threshold.value_or(kNan), "1",
                 "probability from which on the final model decides for class 1");
  return few;
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
  for (std::vector<double>& of_tenth : observed) std::sort(of_tenth.begin(), of_tenth.end());
  const auto floor = [](const std::vector<double>& of_tenth) {
    return ValueInterval{.low = sorted_quantile(of_tenth, 0.05), .high = sorted_quantile(of_tenth, 0.95)};
  };
  const std::string meaning = "if risks were exactly right, 90 % of draws";
  rows("tenth", observed).range("tenth_floor", floor, meaning, meaning).write(results);
}

/// smallest: cases of a tenth.
void write_sized_bins(const KnownRisks& known, Index smallest, const std::string& things, const Random& random,
                      Results& results) {
  if (std::ssize(known.risks) < kSizedBins * std::max<Index>(1, smallest)) return;
  const auto ones = std::count(known.outcomes.begin(), known.outcomes.end(), Index{1});
  std::vector<double> log_odds;
  for (const double p : known.risks) log_odds.push_back(log_odds_of(p));
  CalibrationLine fitted;
  fitted.intercept = fitted.slope = kNan;
  try {
    if (ones > 0) fitted = fit_calibration_line(log_odds, known.outcomes);
  } catch (const ArgumentError&) {  // no line is most likely: the figure goes without
  }
  const auto number = [](const ReliabilityBin&, std::size_t b) { return static_cast<double>(b + 1); };
  const auto on_line = [&](const ReliabilityBin& bin) {
    return std::isnan(fitted.slope) ? kNan : fitted.probability(log_odds_of(bin.predicted));
  };
  rows("tenth", equal_sized_bins(known.risks, known.outcomes, kSizedBins), number,
       concat("tenth of the ", things, ", by predicted probability"))
      .prefix("tenth_")
      .number("predicted", &ReliabilityBin::predicted, "mean predicted probability")
      .number("observed", &ReliabilityBin::observed, "observed frequency")
      .number("line", on_line, "calibration line")
      .write(results);
  write_floor_of_tenths(known, random, results);
  results.figure({.kind = "lines",
                  .name = "reliability",
                  .title = "Reliability",
                  .caption = concat("Observed frequency and mean predicted probability in tenths of the ", things,
                                    " by predicted probability, out of fold. The calibration line has intercept ",
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

/// Cases of blocks in time that are not scored.
Index calibrating_alone(const StudyOutcome& outcome) {
  Index count = 0;
  for (std::size_t item = 0; item < outcome.cases.parts.size(); ++item)
    count += outcome.folds->fold_of_case[item] != kNeverTested && outcome.cases.parts[item] == "validation" ? 1 : 0;
  return count;
}

}  // namespace

void write_folds(const StudyOutcome& outcome, const Examination& examined, const Random& random, Results& results) {
  const CrossValidation& folds = *outcome.folds;
  rows(
      "fold", folds.models, [](const FoldModel&, std::size_t f) { return static_cast<double>(f + 1); }, "fold")
      .number(
          "fold_cases", [](const FoldModel& fold) { return fold.split.test.size(); },
          concat(outcome.cases.reading.nouns(), " of the fold"))
      .write(results);
  const bool calibrated = study_keys().read(outcome.config).calibration != CalibrationMethod::none,
             in_time = folds.in_time(), decides = outcome.target.rule().binary();
  const auto left = std::count_if(folds.models.begin(), folds.models.end(),
                                  [](const FoldModel& fold) { return !fold.fitted_on_others; });
  if (in_time) results.finding(BlocksInTime{folds.folds(), folds.wanted.embargo, outcome.cases.time_unit});
  results.finding(NotAllTested{folds.tested(), in_time ? calibrating_alone(outcome) : 0, outcome.cases.count(),
                               outcome.cases.reading.nouns()});
  results.finding(UncalibratedFolds{left, folds.folds(), in_time, calibrated, decides});
  if (!decides) return;
  const bool few = write_binary_folds(outcome, results);
  const auto flat = results.found<FlatCalibration>();
  std::string exceptions = left > 0 ? concat(left, " decided at 0.5") : "";
  if (flat && flat->flat > 0)
    exceptions +=
        concat(exceptions.empty() ? "" : " and ",
               in_time ? "those that a base rate stands for" : concat("the base rate of all ", outcome.things()));
  results.figure({.kind = "table",
                  .name = "folds",
                  .title = in_time ? "Blocks in time" : "Folds",
                  .caption = concat(in_time ? "Each block is predicted" : "Each fold is predicted",
                                    calibrated ? ", calibrated" : "", " and decided by what was ",
                                    in_time ? "known when it began" : "fitted on the others",
                                    exceptions.empty() ? "" : ", but for " + exceptions, ".",
                                    few ? concat(" Folds of fewer than ", outcome.cases.smallest_cell,
                                                 " known outcomes have no scores of their own.")
                                        : ""),
                  .variables = {"fold_cases", "fold_auroc", "fold_average_precision", "fold_threshold"},
                  .x = "fold",
                  .digits = 3});
  const KnownRisks known = risks_in_rows(outcome, first_numbers(outcome.predictions.mean.rows()));
  write_sized_bins(known, outcome.cases.smallest_cell, outcome.things(), random.stream("floor of reliability"),
                   results);
  write_floors(outcome, examined, results);
}

}  // namespace fovea::study

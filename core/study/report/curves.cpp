#include "fovea/core/study/report/curves.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/calibration.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/core/study/cases/target_rule.hpp"

namespace fovea::study {

namespace {

constexpr Index kGrid = 101, kBins = 10;

std::vector<double> grid() {
  std::vector<double> points;
  for (Index k = 0; k < kGrid; ++k) points.push_back(static_cast<double>(k) / (kGrid - 1));
  return points;
}

}  // namespace

void write_binary_curves(const StudyOutcome& outcome, const Examination& examined, Results& results) {
  std::vector<Index> outcomes;
  for (const double y : examined.targets) outcomes.push_back(static_cast<Index>(y));
  const auto positive = std::count(outcomes.begin(), outcomes.end(), Index(1));
  if (positive == 0 || positive == static_cast<std::ptrdiff_t>(outcomes.size())) return;
  std::vector<double> roc, precision;
  for (std::size_t p = 0; p < 2; ++p) {
    const auto& mean = examined.predictions[p].mean;
    const std::vector<double> probabilities(mean.data(), mean.data() + mean.size());
    const auto curve = roc_curve(probabilities, outcomes);
    const auto recalls = precision_recall_curve(probabilities, outcomes);
    for (const double x : grid()) {
      double best_rate = 0, best_precision = kNan;
      for (const RocPoint& point : curve)
        if (point.false_positive_rate <= x) best_rate = std::max(best_rate, point.true_positive_rate);
      for (const PrecisionRecallPoint& point : recalls)
        if (point.recall >= x && !(best_precision >= point.precision)) best_precision = point.precision;
      roc.push_back(best_rate);
      precision.push_back(best_precision);
    }
  }
  results.coordinate("compared", std::vector<std::string>{outcome.predictors()[0], outcome.predictors()[1]}, "",
                     "predictor");
  results.coordinate("false_positive_rate", grid(), "1", "false positive rate");
  results.coordinate("recall", grid(), "1", "recall");
  results.add("true_positive_rate", {"compared", "false_positive_rate"}, roc, "1", "true positive rate");
  results.add("chance_rate", {"false_positive_rate"}, grid(), "1", "chance");
  results.add("precision", {"compared", "recall"}, precision, "1", "precision");
  results.figure({.kind = "lines",
                  .name = "roc",
                  .title = "ROC curve",
                  .caption = concat("True positive rate against false positive rate ", outcome.tested(),
                                    ". Dashed: random predictions."),
                  .variables = {"true_positive_rate"},
                  .references = {"chance_rate"},
                  .x = "false_positive_rate",
                  .hue = "compared"});
  results.figure({.kind = "lines",
                  .name = "precision_recall",
                  .title = "Precision and recall",
                  .caption = concat("Largest precision at each recall or above, ", outcome.tested(), "."),
                  .variables = {"precision"},
                  .x = "recall",
                  .hue = "compared"});
}

void write_missing(const Reading& reading, Results& results) {
  std::vector<ReadVariable> some;  // with the most missing first
  for (const ReadVariable& one : reading.variables)
    if (one.cases < reading.cases) some.push_back(one);
  if (some.empty()) return;
  std::stable_sort(some.begin(), some.end(),
                   [](const ReadVariable& a, const ReadVariable& b) { return a.cases < b.cases; });
  const auto shown = [&](const ReadVariable& one) {
    const Index without = reading.cases - one.cases;
    return without >= reading.smallest_cell && (one.cases == 0 || one.cases >= reading.smallest_cell);
  };
  const auto share = [&](const ReadVariable& one) {
    return static_cast<double>(reading.cases - one.cases) / static_cast<double>(reading.cases);
  };
  rows("read_variable", some, &ReadVariable::name, "variable")
      .prefix("missing_")
      .number("cases", &ReadVariable::cases, concat(reading.noun, "s with a value"))
      .when(shown)
      .number("share", share, "share without any")
      .when(shown)
      .write(results)
      .table(
          results,
          {.name = "missing",
           .title = "What is missing",
           .caption = concat(
               "Variables of which some ", reading.noun, "s have no value, of ", reading.cases,
               reading.smallest_cell > 1 ? concat("; counts below ", reading.smallest_cell, " are not shown.") : "."),
           .fold = "What is missing",
           .digits = 3});
}

void write_reliability(const StudyOutcome& outcome, const Examination& examined, Results& results) {
  std::vector<double> probabilities;
  std::vector<Index> outcomes;
  const Matrix<double>& mean = examined.predictions.front().mean;
  const bool named = outcome.target.rule().named();
  for (Index i = 0; i < mean.rows(); ++i) {
    const auto y = static_cast<Index>(examined.targets[i]);
    Index best = 0;
    if (named) mean.row(i).maxCoeff(&best);
    probabilities.push_back(std::clamp(mean(i, best), 0.0, 1.0));
    outcomes.push_back(named ? (best == y ? 1 : 0) : y);
  }
  if (outcomes.empty()) return;
  std::vector<ReliabilityBin> bins = reliability_curve(probabilities, outcomes, kBins);
  std::erase_if(bins, [&](const ReliabilityBin& bin) { return bin.count < outcome.cases.smallest_cell; });
  if (bins.empty()) return;
  const auto middle = [](const ReliabilityBin& bin) { return (bin.low + bin.high) / 2; };
  rows("probability", bins, middle, "predicted probability, middle of the bin")
      .number("observed_frequency", &ReliabilityBin::observed, "observed frequency")
      .number("expected_frequency", middle, "perfect calibration")
      .number("cases_in_bin", &ReliabilityBin::count, "predictions in the bin")
      .write(results);
  results.figure({.kind = "lines",
                  .name = "reliability",
                  .title = "Reliability",
                  .caption = concat("Observed frequency against predicted probability, ", outcome.tested(),
                                    ". Dashed: perfect calibration."),
                  .variables = {"observed_frequency"},
                  .references = {"expected_frequency"},
                  .x = "probability"});
}

}  // namespace fovea::study

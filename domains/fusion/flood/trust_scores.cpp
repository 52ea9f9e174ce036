#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/statistics/agreement/risk_coverage.hpp"
#include "fovea/core/statistics/tests/rank_correlation.hpp"
#include "fovea/domains/fusion/flood/flood.hpp"
#include "fovea/domains/fusion/model/lost_sensors.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"

namespace fovea::fusion::flood {

namespace {

using study::StudyOutcome;

constexpr double kLowestIndex = -0.6, kIndexStep = 0.1;  // bins of NDVI
constexpr std::size_t kIndexBins = 15, kTrustBins = 10, kCoverages = 20;
constexpr double kLeastPixels = 30;  // of a bin that is shown

/// Means over bins.
class Binned {
 public:
  explicit Binned(std::size_t bins) : sums_(bins, 0), counts_(bins, 0) {}
  void add(double place, double value) {  // place: in bins
    const auto bin = static_cast<std::size_t>(
        std::clamp(place, 0.0, static_cast<double>(sums_.size()) - 0.5));  // the last bin has its upper end
    sums_[bin] += value, ++counts_[bin];
  }
  std::vector<double> means() const {
    std::vector<double> means;
    for (std::size_t k = 0; k < sums_.size(); ++k)
      means.push_back(counts_[k] < kLeastPixels ? kNan : sums_[k] / counts_[k]);
    return means;
  }

 private:
  std::vector<double> sums_, counts_;
};

std::vector<double> middles(std::size_t bins, double low, double step) {
  std::vector<double> middles;
  for (std::size_t k = 0; k < bins; ++k) middles.push_back(low + (static_cast<double>(k) + 0.5) * step);
  return middles;
}

/// How far two answers lie apart: half the sum of the differences of their probabilities, 0 to 1.
double moved(const Matrix<double>& first, const Matrix<double>& second, Index row) {
  return 0.5 * (first.row(row) - second.row(row)).cwiseAbs().sum();
}

void add_index(const StudyOutcome& outcome, const std::vector<Index>& items, const Matrix<double>& trust,
               Results& results) {
  const ColumnPlan plan = column_plan(outcome.config);
  const std::vector<BandDifference> differences = plan.differences();
  const auto found = std::find_if(differences.begin(), differences.end(),
                                  [](const BandDifference& one) { return one.name == "NDVI"; });
  if (found == differences.end()) return;
  const Index column = plan.s1_columns() + std::ssize(plan.s2_bands) + (found - differences.begin());
  Binned binned(kIndexBins);
  for (const Index item : items) {
    const Index last = outcome.cases.offsets[static_cast<std::size_t>(item) + 1] - 1;  // the token of S2
    binned.add((static_cast<double>(outcome.cases.values(last, column)) - kLowestIndex) / kIndexStep, trust(item, 1));
  }
  results.coordinate("ndvi", middles(kIndexBins, kLowestIndex, kIndexStep), "1", "NDVI");
  results.add("trust_by_ndvi", {"ndvi"}, binned.means(), "1", "mean trust in S2");
  results.figure({.name = "trust_by_ndvi",
                  .title = "Trust by vegetation",
                  .caption = "Mean trust in S2 of tested pixels with this NDVI: water is below 0, dense vegetation "
                             "above .6. The first and the last point have what lies beyond.",
                  .variables = {"trust_by_ndvi"},
                  .x = "ndvi"});
}

/// Trust beside what is changed by taking a sensor away.
void add_deletion(const StudyOutcome& outcome, const std::vector<Index>& items, const model::SensorAnswers& both,
                  Results& results) {
  const std::array<Matrix<double>, 2> without{
      model::answers_of(outcome, model::without_sensor(outcome.cases, 0)).probabilities,
      model::answers_of(outcome, model::without_sensor(outcome.cases, 1)).probabilities};
  Binned changed_s1(kTrustBins), changed_s2(kTrustBins);
  std::vector<double> trust, more;
  for (const Index item : items) {
    const double s1 = moved(both.probabilities, without[0], item), s2 = moved(both.probabilities, without[1], item);
    trust.push_back(both.trust(item, 1)), more.push_back(s2 - s1);
    changed_s1.add(trust.back() * kTrustBins, s1), changed_s2.add(trust.back() * kTrustBins, s2);
  }
  results.coordinate("trust", middles(kTrustBins, 0, 1.0 / kTrustBins), "1", "trust in S2");
  results.add("changed_without_s1", {"trust"}, changed_s1.means(), "1", "S1 taken away");
  results.add("changed_without_s2", {"trust"}, changed_s2.means(), "1", "S2 taken away");
  if (trust.size() > 1)
    results.scalar("trust_and_deletion", rank_correlation(trust, more), "1",
                   "Spearman's correlation of the trust in S2 with how much more is changed by taking S2 away than S1");
  if (trust.size() > 1)
    results.headline({.variable = "trust_and_deletion",
                      .label = "trust and deletion, rank correlation",
                      .meaning = "Of the trust in S2 with how much more is changed by taking S2 away than S1; 1: trust "
                                 "says what the answer rests on."});
  results.figure({.name = "deletion",
                  .title = "What changes when a sensor is taken away",
                  .caption =
                      "How far the probabilities move (half the sum of their differences), by the trust in S2. "
                      "Trust that explains the answer rises with what S2 changes and falls with what S1 changes.",
                  .variables = {"changed_without_s1", "changed_without_s2"},
                  .x = "trust",
                  .value_label = "mean change of the probabilities"});
}

void add_risk(const StudyOutcome& outcome, const Matrix<double>& probabilities, Results& results) {
  std::vector<double> sure, loss, coverages, risks;
  for (const Index item : outcome.split.test) {
    Index best = 0;
    sure.push_back(probabilities.row(item).maxCoeff(&best));
    loss.push_back(static_cast<double>(best) == outcome.cases.targets[static_cast<std::size_t>(item)] ? 0 : 1);
  }
  const RiskCoverage curve = risk_coverage(sure, loss);
  for (std::size_t k = 1; k <= kCoverages; ++k) {
    coverages.push_back(static_cast<double>(k) / kCoverages);
    risks.push_back(curve.risk_at(coverages.back()));
  }
  results.coordinate("coverage", coverages, "1", "share of the pixels that are answered, the surest first");
  results.add("risk", {"coverage"}, risks, "1", "share of them that are wrong");
  results.scalar("risk_area", curve.area, "1", "area below risk against coverage (Geifman et al. 2019)");
  results.figure({.name = "risk",
                  .title = "Risk against coverage",
                  .caption = "What is won by answering only where the model is sure.",
                  .variables = {"risk"},
                  .x = "coverage"});
}

}  // namespace

void show_trust(const StudyOutcome& outcome, Results& results) {
  const model::SensorAnswers both = model::answers_of(outcome, outcome.cases);
  std::vector<Index> items;
  for (const Index item : outcome.split.test)
    if (outcome.cases.size(item) == model::kSensors) items.push_back(item);
  add_risk(outcome, both.probabilities, results);
  if (items.empty()) return;
  add_index(outcome, items, both.trust, results);
  add_deletion(outcome, items, both, results);
}

}  // namespace fovea::fusion::flood

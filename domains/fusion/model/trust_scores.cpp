#include "fovea/domains/fusion/model/trust_scores.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/agreement/risk_coverage.hpp"
#include "fovea/core/statistics/tests/rank_correlation.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"

namespace fovea::fusion::model {

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
    const auto bin = static_cast<Index>(
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

/// The tokens of a sensor that a case has.
Index tokens_of(const study::Cases& cases, Index item, Index sensor) {
  const auto first = cases.kinds.begin() + cases.offsets[item];
  return std::count(first, first + cases.size(item), static_cast<std::uint16_t>(sensor));
}

/// Mean of a column over the dates of S2.
double mean_of_s2(const study::Cases& cases, Index item, Index column) {
  double sum = 0;
  const Index first = cases.offsets[item];
  for (Index i = first; i < first + cases.size(item); ++i)
    if (cases.kinds[i] == 1) sum += static_cast<double>(cases.values(i, column));
  return sum / static_cast<double>(tokens_of(cases, item, 1));
}

void add_index(const StudyOutcome& outcome, const std::vector<Index>& items, const Matrix<double>& trust,
               const std::string& what, Results& results) {
  const std::vector<study::Feature>& features = outcome.cases.features;
  const auto found =
      std::find_if(features.begin(), features.end(), [](const study::Feature& one) { return one.name == "NDVI"; });
  if (found == features.end()) return;
  Binned binned(kIndexBins);
  bool dated = false;
  for (const Index item : items) {
    dated = dated || tokens_of(outcome.cases, item, 1) > 1;
    binned.add((mean_of_s2(outcome.cases, item, found - features.begin()) - kLowestIndex) / kIndexStep, trust(item, 1));
  }
  const std::vector<double> means = binned.means();
  if (std::all_of(means.begin(), means.end(), [](double mean) { return std::isnan(mean); })) return;
  results.coordinate("ndvi", middles(kIndexBins, kLowestIndex, kIndexStep), "1",
                     dated ? "NDVI, mean over the dates" : "NDVI");
  results.add("trust_by_ndvi", {"ndvi"}, means, "1", "mean trust in S2");
  results.figure({.name = "trust_by_ndvi",
                  .title = "Trust by vegetation",
                  .caption = concat("Mean trust in S2 of tested ", what,
                                    dated ? " with this NDVI, mean over the dates" : " with this NDVI",
                                    ": water is below 0, dense "
                                    "vegetation above .6. The first and the last point have what lies beyond; points "
                                    "of fewer than 30 ",
                                    what, " are left out."),
                  .variables = {"trust_by_ndvi"},
                  .x = "ndvi"});
}

/// Trust beside what is changed by taking a sensor away.
void add_deletion(const StudyOutcome& outcome, const std::vector<Index>& items, const SensorAnswers& both,
                  Results& results) {
  const std::array<Matrix<double>, 2> without{answers_of(outcome, without_sensor(outcome.cases, 0)).probabilities,
                                              answers_of(outcome, without_sensor(outcome.cases, 1)).probabilities};
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
                                 "ranks cases as deletion does."});
  results.figure({.name = "deletion",
                  .title = "What changes when a sensor is taken away",
                  .caption =
                      "How far the probabilities move (half the sum of their differences), by the trust in S2. "
                      "Trust that explains the answer rises with what S2 changes and falls with what S1 changes.",
                  .variables = {"changed_without_s1", "changed_without_s2"},
                  .x = "trust",
                  .value_label = "mean change of the probabilities"});
}

void add_risk(const StudyOutcome& outcome, const std::vector<Index>& items, const Matrix<double>& probabilities,
              const std::string& what, Results& results) {
  std::vector<double> sure, loss, coverages;
  for (const Index item : items) {
    Index best = 0;
    sure.push_back(probabilities.row(item).maxCoeff(&best));
    loss.push_back(static_cast<double>(best) == outcome.cases.targets[item] ? 0 : 1);
  }
  const RiskCoverage curve = risk_coverage(sure, loss);
  for (std::size_t k = 1; k <= kCoverages; ++k) coverages.push_back(static_cast<double>(k) / kCoverages);
  results.scalar("risk_area", curve.area, "1", "area below risk against coverage (Geifman et al. 2019)");
  rows("coverage", coverages, std::identity(), concat("share of the ", what, " that are answered, the surest first"))
      .number(
          "risk", [&](double coverage) { return curve.risk_at(coverage); }, "share of them that are wrong")
      .write(results)
      .lines(results, "risk",
             {.title = "Risk against coverage", .caption = "What is won by answering only where the model is sure."});
}

}  // namespace

void examine_trust(const StudyOutcome& outcome, const SensorAnswers& said, const std::string& cases, Results& results) {
  std::vector<Index> known, both;
  for (const Index item : outcome.split.test) {
    if (std::isnan(outcome.cases.targets[item]) || outcome.cases.size(item) == 0) continue;
    known.push_back(item);
    if (tokens_of(outcome.cases, item, 0) > 0 && tokens_of(outcome.cases, item, 1) > 0) both.push_back(item);
  }
  if (!known.empty()) add_risk(outcome, known, said.probabilities, cases, results);
  if (both.empty()) return;
  add_index(outcome, both, said.trust, cases, results);
  add_deletion(outcome, both, said, results);
}

}  // namespace fovea::fusion::model

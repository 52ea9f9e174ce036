#include "fovea/core/study/hazards/hazard_scores.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/core/statistics/survival/concordance.hpp"
#include "fovea/core/study/hazards/hazard_target.hpp"

namespace fovea::study {

namespace {

constexpr double kLeastShare = 1e-12;

std::vector<double> risks_by_horizon(const Target& target, const Matrix<double>& mean) {
  const Index column = incidence_column(target, intervals_of(target) - 1, 1);
  std::vector<double> risks;
  for (Index i = 0; i < mean.rows(); ++i) risks.push_back(mean(i, column));
  return risks;
}

/// Each entry as often as its weight says.
template <typename Value>
std::vector<Value> repeated(const std::vector<Value>& all, std::span<const double> weights) {
  std::vector<Value> some;
  for (std::size_t i = 0; i < all.size(); ++i) some.insert(some.end(), static_cast<std::size_t>(weights[i]), all[i]);
  return some;
}

/// P(what was seen) of row i: of an end the share that came in its interval, else what was left.
double probability_of(const Target& target, const Matrix<double>& mean, Index i, Index survived, Index end) {
  if (end > 0) {
    const double before = survived > 0 ? mean(i, incidence_column(target, survived - 1, end)) : 0;
    return mean(i, incidence_column(target, survived, end)) - before;
  }
  double left = 1;
  for (Index k = 1; survived > 0 && k <= ends_of(target); ++k)
    left -= mean(i, incidence_column(target, survived - 1, k));
  return left;
}

}  // namespace

WeightedScore hazard_concordance_score(const Target& target, const Matrix<double>& mean,
                                       std::span<const double> codes) {
  ObservedEnds observed = observed_ends(target, codes);
  for (Index& end : observed.ends) end = end == 1 ? 1 : 0;
  return [risks = risks_by_horizon(target, mean), observed = std::move(observed)](std::span<const double> weights) {
    const std::vector<double> some = repeated(risks, weights);
    if (some.empty()) return kNan;
    return concordance(some, repeated(observed.times, weights), repeated(observed.ends, weights)).index();
  };
}

WeightedScore hazard_auroc_score(const Target& target, const Matrix<double>& mean, std::span<const double> codes) {
  const learning::HazardTargets seen = hazards_of_codes(target, codes);
  const std::vector<double> risks = risks_by_horizon(target, mean);
  std::vector<double> known_risks;
  std::vector<Index> outcomes;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (seen.ends[i] == 0 && seen.survived[i] < intervals_of(target)) continue;
    known_risks.push_back(risks[i]);
    outcomes.push_back(seen.ends[i] == 1 ? 1 : 0);
    rows.push_back(i);
  }
  if (rows.empty()) return [](std::span<const double>) { return kNan; };
  const auto order = std::make_shared<const RankedOutcomes>(known_risks, outcomes);
  return [order, rows = std::move(rows)](std::span<const double> weights) {
    std::vector<double> mine;
    for (const std::size_t row : rows) mine.push_back(weights[row]);
    return order->auroc(mine);
  };
}

WeightedScore hazard_observed_score(const Target& target, const Matrix<double>& mean, std::span<const double> codes) {
  return [target, risks = risks_by_horizon(target, mean),
          all = std::vector<double>(codes.begin(), codes.end())](std::span<const double> weights) {
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < risks.size(); ++i) sum += weights[i] * risks[i], weight += weights[i];
    if (weight == 0 || sum == 0) return kNan;
    const std::vector<double> shares = incidences_of(target, repeated(all, weights));
    return shares[static_cast<std::size_t>(incidence_column(target, intervals_of(target) - 1, 1))] / (sum / weight);
  };
}

WeightedScore hazard_likelihood_score(const Target& target, const Matrix<double>& mean, std::span<const double> codes) {
  const learning::HazardTargets seen = hazards_of_codes(target, codes);
  std::vector<double> terms;
  for (std::size_t i = 0; i < codes.size(); ++i)
    terms.push_back(-std::log(
        std::max(kLeastShare, probability_of(target, mean, static_cast<Index>(i), seen.survived[i], seen.ends[i]))));
  return [terms = std::move(terms)](std::span<const double> weights) {
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) sum += weights[i] * terms[i], weight += weights[i];
    return sum / weight;
  };
}

}  // namespace fovea::study

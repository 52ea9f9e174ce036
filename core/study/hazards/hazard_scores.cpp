#include "fovea/core/study/hazards/hazard_scores.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/core/statistics/survival/concordance.hpp"
#include "fovea/core/study/hazards/hazard_target.hpp"
#include "fovea/core/study/scores/score_table.hpp"

namespace fovea::study {

namespace {

constexpr double kLeastShare = 1e-12;

std::vector<double> risks_by_horizon(const Target& target, const Matrix<double>& mean, Index end) {
  const Index column = incidence_column(target, intervals_of(target) - 1, end);
  std::vector<double> risks;
  for (Index i = 0; i < mean.rows(); ++i) risks.push_back(mean(i, column));
  return risks;
}

/// For each number of survived intervals: P(not censored until then), Kaplan and Meier's with censoring as the end.
std::vector<double> uncensored_shares(Index intervals, const learning::HazardTargets& seen,
                                      std::span<const double> weights) {
  std::vector<double> shares;
  double share = 1;
  for (Index u = 0; u < intervals; ++u) {
    double at_risk = 0, censored = 0;
    for (std::size_t i = 0; i < seen.ends.size(); ++i) {
      at_risk += seen.survived[i] >= u ? weights[i] : 0;
      censored += seen.survived[i] == u && seen.ends[i] == 0 ? weights[i] : 0;
    }
    if (at_risk > 0) share *= 1 - censored / at_risk;
    shares.push_back(share);
  }
  return shares;
}

/// Weights of those of whom it is known by the horizon, so that they stand for all; 0 of the others.
std::vector<double> known_weights(Index intervals, const learning::HazardTargets& seen,
                                  std::span<const double> weights) {
  const std::vector<double> shares = uncensored_shares(intervals, seen, weights);
  std::vector<double> known;
  for (std::size_t i = 0; i < seen.ends.size(); ++i) {
    const bool is_known = weights[i] > 0 && (seen.ends[i] > 0 || seen.survived[i] == intervals);
    const Index until = std::min(seen.survived[i], intervals - 1);
    known.push_back(is_known ? weights[i] / shares[until] : 0);
  }
  return known;
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

WeightedScore hazard_concordance_score(const Target& target, const Matrix<double>& mean, std::span<const double> codes,
                                       Index of) {
  ObservedEnds observed = exact_ends(target, codes);
  for (Index& end : observed.ends) end = end == of ? 1 : 0;
  return [risks = risks_by_horizon(target, mean, of), observed = std::move(observed)](std::span<const double> weights) {
    const std::vector<double> some = repeated(risks, weights);
    if (some.empty()) return kNan;
    return concordance(some, repeated(observed.times, weights), repeated(observed.ends, weights)).index();
  };
}

WeightedScore hazard_auroc_score(const Target& target, const Matrix<double>& mean, std::span<const double> codes,
                                 Index of) {
  learning::HazardTargets seen = hazards_of_codes(target, codes);
  std::vector<Index> outcomes;
  for (const Index end : seen.ends) outcomes.push_back(end == of ? 1 : 0);
  const auto order = std::make_shared<const RankedOutcomes>(risks_by_horizon(target, mean, of), outcomes);
  return [order, seen = std::move(seen), intervals = intervals_of(target)](std::span<const double> weights) {
    return order->auroc(known_weights(intervals, seen, weights));
  };
}

WeightedScore hazard_brier_score(const Target& target, const Matrix<double>& mean, std::span<const double> codes,
                                 Index of) {
  return [risks = risks_by_horizon(target, mean, of), seen = hazards_of_codes(target, codes), of,
          intervals = intervals_of(target)](std::span<const double> weights) {
    const std::vector<double> known = known_weights(intervals, seen, weights);
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < risks.size(); ++i) {
      const double error = (seen.ends[i] == of ? 1 : 0) - risks[i];
      sum += known[i] * error * error;
      weight += weights[i];
    }
    return sum / weight;
  };
}

WeightedScore hazard_observed_score(const Target& target, const Matrix<double>& mean, std::span<const double> codes,
                                    Index of) {
  return [target, of, risks = risks_by_horizon(target, mean, of),
          all = std::vector<double>(codes.begin(), codes.end())](std::span<const double> weights) {
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < risks.size(); ++i) sum += weights[i] * risks[i], weight += weights[i];
    if (weight == 0 || sum == 0) return kNan;
    const std::vector<double> shares = incidences_of(target, repeated(all, weights));
    return shares[incidence_column(target, intervals_of(target) - 1, of)] / (sum / weight);
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

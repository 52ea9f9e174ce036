#pragma once
/// What scores are computed from, and those that several kinds of target have. The scores of a kind are in its rule
/// (targets/). Internal to core/study.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "fovea/core/statistics/metrics.hpp"
#include "fovea/core/study/scores/decision_scores.hpp"
#include "fovea/core/study/scores/scores.hpp"

namespace fovea::study {

/// What a score is computed from, checked.
struct Examples {
  const Target& target;
  const Matrix<double>& mean;
  std::span<const double> deviation;
  std::span<const double> targets;
  std::vector<Index> classes;  ///< the targets, where they are codes
  const std::vector<Index>& decisions;

  Index rows() const { return mean.rows(); }
  std::span<const double> mean_at(Index row) const { return {&mean(row, 0), 1}; }
  std::span<const double> target_at(Index row) const { return targets.subspan(row, 1); }
  std::span<const Index> class_at(Index row) const { return std::span(classes).subspan(row, 1); }
};

/// A score of some rows. prepare: of the examples when each counts as often as its weight; what does not depend on the
/// weights has been computed, so that a draw of the bootstrap costs little.
struct ScoreEntry {
  Score score;
  std::function<WeightedScore(const Examples& examples)> prepare;
};

/// Each entry as often as its weight, a whole number, says.
template <typename Value>
std::vector<Value> repeated(const std::vector<Value>& all, std::span<const double> weights) {
  std::vector<Value> some;
  for (std::size_t i = 0; i < all.size(); ++i) some.insert(some.end(), static_cast<std::size_t>(weights[i]), all[i]);
  return some;
}

double weighted_mean(std::span<const double> terms, std::span<const double> weights);

/// The score that is the mean of what it is of each row alone.
template <typename ScoreOfRow>
WeightedScore mean_of_rows(const Examples& examples, const ScoreOfRow& score_of_row) {
  std::vector<double> terms;
  for (Index i = 0; i < examples.rows(); ++i) terms.push_back(score_of_row(i));
  return [terms = std::move(terms)](std::span<const double> weights) { return weighted_mean(terms, weights); };
}

/// Rows of a column by their score; positive: the class that is the event.
std::shared_ptr<const RankedOutcomes> ranked(const Examples& examples, Index column, Index positive);

/// Of probabilities of one column or of several.
WeightedScore log_loss_of(const Examples& examples);
WeightedScore brier_of(const Examples& examples);
/// sum over bins of |sum of w (p - y)| / sum of w: expected_calibration_error() with weights.
WeightedScore calibration_error_of(const Examples& examples);

}  // namespace fovea::study

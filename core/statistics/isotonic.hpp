#pragma once
/// Isotonic regression: the best fit that never falls.

#include <span>
#include <vector>

namespace fovea {

/// The non-decreasing values closest to `values` in weighted squares, by pooling adjacent violators (Ayer, Brunk,
/// Ewing, Reid, Silverman 1955). weights: > 0, as many; empty: all 1. Throws ArgumentError.
std::vector<double> isotonic_fit(std::span<const double> values, std::span<const double> weights = {});

/// Scores to probabilities by isotonic regression (Zadrozny & Elkan 2002): keeps the order of the scores but for ties.
/// Needs more examples than a temperature: hundreds.
class IsotonicCalibration {
 public:
  /// scores (N) finite; outcomes (N), 0 or 1 or shares in between; N >= 1. Equal scores are pooled first. Throws
  /// ArgumentError.
  IsotonicCalibration(std::span<const double> scores, std::span<const double> outcomes);
  /// Linear between the scores that were seen, constant outside of them.
  double operator()(double score) const;
  /// The fit at the scores that matter: the first and the last of each constant stretch.
  const std::vector<double>& knots() const { return scores_; }
  const std::vector<double>& values() const { return values_; }

 private:
  std::vector<double> scores_, values_;  // ascending
};

}  // namespace fovea

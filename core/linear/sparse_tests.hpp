#pragma once
/// Tests of every column of a regression, given those few that carry the effect.

#include <vector>

#include "fovea/core/linear/product_rows.hpp"

namespace fovea {

/// Of a key's square: where the conditions leave less, they determine the key.
constexpr double kLeastLeft = 1e-6;

/// For each key its partial correlation with the target given the chosen keys (but for itself).
struct SparseTests {
  std::vector<Index> chosen;    ///< in the order in which they came
  Vector<double> correlations;  ///< of each key, in [-1, 1]; 0 where the chosen ones determine it, or
                                ///< the target without it
  Vector<double> coefficients;  ///< of the chosen, by least squares, in the order of `chosen`
  double residual_square = 0;   ///< sum of squares that the chosen leave of the target
  /// Degrees of freedom of a key's t: with an intercept, the others chosen, and the key itself.
  Index degrees(Index key, Index rows) const;
};

/// Starts with `first` (a key that depends on those before it is left out) and joins the key of largest partial
/// correlation while its two-sided p-value is below join_level / keys (Bonferroni) and fewer than rows / 4 are chosen:
/// a family-wise error rate of join_level for each. O(keys * chosen) a step, by a pivoted Cholesky factor.
/// products, with_target, target_square: sums of products about the means of `rows` rows, as in single_effects.
SparseTests sparse_tests(const ProductRows& products, const Vector<double>& with_target, double target_square,
                         Index rows, const std::vector<Index>& first, double join_level = 0.05);

/// What is left of the target's square; 0 where that is rounding, less than 1e-12 of it.
double left_of_target(double square, double target_square);

/// Partial correlation of one of the conditions with the target, given the others: it has the coefficient b among all
/// of them, the others leave `left` of its square, and b^2 left is what the target's residual square would lose without
/// it. 0 where that is rounding.
double condition_correlation(double coefficient, double left, double residual_square, double target_square);

}  // namespace fovea

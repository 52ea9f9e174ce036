#pragma once
/// Areas under ROC curves with their covariance, from the same examples (DeLong, DeLong, Clarke-Pearson 1988).

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// With m positive examples of scores x and n negative ones of scores y, psi(x, y) = 1, 1/2 or 0 for x > y, x = y,
/// x < y: the placements V_i = mean_j psi(x_i, y_j), W_j = mean_i psi(x_i, y_j); AUC = mean V = mean W, and
/// cov(AUC_a, AUC_b) = cov(V_a, V_b) / m + cov(W_a, W_b) / n (their eq. 5 to 7), in O(n log n) by ranks (Sun & Xu
/// 2014).
struct RocAreas {
  std::vector<double> areas;
  Matrix<double> covariance;

  double standard_error(Index k) const;
  /// Of area a less area b, of which both rest on the same examples.
  double difference_error(Index a, Index b) const;
};

/// scores: one vector for each of K predictions (N), any numbers but NaN. outcomes (N): 0 or 1, two of each at least.
/// Throws ArgumentError.
RocAreas roc_areas(std::span<const std::vector<double>> scores, std::span<const Index> outcomes);

/// The interval at this level on the scale of log(A / (1 - A)), so that it stays within (0, 1) (Pepe 2003, section
/// 5.2). An area of exactly 0 or 1 has the interval of Hanley & McNeil's bound replaced by the rule of three: it
/// reaches 3 / min(m, n) away.
struct AreaInterval {
  double low = 0, high = 0;
};
AreaInterval area_interval(double area, double standard_error, Index fewer, double level = 0.95);

/// The two-sided p-value of H0: both areas are equal, by the normal distribution of their difference; 1 where the
/// difference has no error and is 0, 0 where it has none and is not.
double difference_p_value(double difference, double standard_error);

}  // namespace fovea

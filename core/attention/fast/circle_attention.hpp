#pragma once
/// Attention of N angles to M angles by the score cos(x - y) in O(N + M), exact to rounding: the modes of
/// exp(beta cos d) = I_0(beta) + 2 sum_k I_k(beta) cos(k d) (Abramowitz & Stegun 1964, 9.6.34).

#include <span>

namespace fovea {

/// Keeps its memory from call to call. Bits do not depend on the number of threads.
class CircleAttention {
 public:
  /// weight_sums_i = sum_j g_j e_ij,   force_sums_i = sum_j g_j e_ij sin(y_j - x_i),   e_ij = exp(beta cos(y_j - x_i)),
  /// both divided by exp(beta), so that neither overflows. queries (N) x, keys (M) y, radians; strengths (M) g >= 0,
  /// empty: all 1; beta > 0.
  void sums(std::span<const double> queries, std::span<const double> keys, std::span<const double> strengths,
            double beta, std::span<double> weight_sums, std::span<double> force_sums);
};

}  // namespace fovea

#pragma once
/// Attention of N angles to M angles by the score cos(x - y) in O(N + M), exact to rounding: the modes of
/// exp(beta cos d) = I_0(beta) + 2 sum_k I_k(beta) cos(k d) (Abramowitz & Stegun 1964, 9.6.34).

#include <memory>
#include <span>

namespace fovea {

/// Keeps its memory from call to call; one object for one thread of calls. Bits do not depend on the number of threads.
class CircleAttention {
 public:
  CircleAttention();
  ~CircleAttention();
  CircleAttention(CircleAttention&&) noexcept;
  CircleAttention& operator=(CircleAttention&&) noexcept;

  /// weight_sums_i = sum_j g_j e_ij,   force_sums_i = sum_j g_j e_ij sin(y_j - x_i),   e_ij = exp(beta cos(y_j - x_i)),
  /// both divided by exp(beta), so that neither overflows. queries (N) x, keys (M) y, radians, finite; strengths (M)
  /// g >= 0, finite, empty: all 1; beta > 0. Throws ArgumentError for sizes that do not fit and for numbers outside
  /// their range.
  void sums(std::span<const double> queries, std::span<const double> keys, std::span<const double> strengths,
            double beta, std::span<double> weight_sums, std::span<double> force_sums);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace fovea

#pragma once
/// Attention of N angles to M angles by the score cos(x - y) in O(N + M), exact to rounding, by boxes as on the line:
/// near enough, exp(beta (cos d - 1)) is a Gaussian kernel of variance 1 / beta. README.md says how.

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
  /// both divided by exp(beta), so that neither overflows. queries (N) x, keys (M) y, radians, finite, best within a
  /// few turns of 0; strengths (M) g >= 0, finite, empty: all 1; beta > 0. Throws ArgumentError for sizes that do not
  /// fit and for numbers outside their range. A query far from every key is summed over all of them, in O(M).
  void sums(std::span<const double> queries, std::span<const double> keys, std::span<const double> strengths,
            double beta, std::span<double> weight_sums, std::span<double> force_sums);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace fovea

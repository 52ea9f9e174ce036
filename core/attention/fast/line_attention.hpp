#pragma once
/// Attention of N queries to M keys on the line in O(N + M), exact to rounding: boxes of the width of the kernel, and
/// in each box the kernel as a short series of Chebyshev polynomials (Greengard & Strain 1991 for the boxes, with
/// polynomials in place of Hermite series). README.md says how, and how exact. attend() over all pairs is the plain
/// twin.

#include <memory>
#include <span>

#include "fovea/core/ranks/ranks.hpp"

namespace fovea {

/// Keeps its memory from call to call; one object for one thread of calls. Bits depend neither on the number of threads
/// nor on that of ranks. With several ranks every rank makes each call, with its rank_part() of the queries, and of the
/// keys and values; strengths are empty, every query is near a key, and dot_product() is refused.
class LineAttention {
 public:
  explicit LineAttention(const Ranks& ranks = alone());  ///< the ranks outlive it
  ~LineAttention();
  LineAttention(LineAttention&&) noexcept;
  LineAttention& operator=(LineAttention&&) noexcept;

  /// The two sums of a Gaussian kernel:
  ///   weight_sums_i = sum_j g_j e_ij,   value_sums_i = sum_j g_j e_ij v_j,   e_ij = exp(-(x_i - y_j)^2 / 2T)
  /// value_sums / weight_sums is the softmax attention of the score -(x - y)^2 / 2 at temperature T, also for a query
  /// far from every key: where the largest e_ij would be below e^-600, both sums are multiplied by the same number, so
  /// that it is e^-600. Both sums are 0 where all g are.
  /// queries  (N) x, keys (M) y, finite; values (M) v, finite; strengths (M) g >= 0, finite, empty: all 1
  /// temperature > 0. Throws ArgumentError for sizes that do not fit, for numbers outside their range, and, on every
  /// rank of several, where there would be too many boxes.
  void gaussian_sums(std::span<const double> queries, std::span<const double> keys, std::span<const double> values,
                     std::span<const double> strengths, double temperature, std::span<double> weight_sums,
                     std::span<double> value_sums);

  /// Softmax attention of the score -(x - y)^2 / 2 at temperature T: value_sums / weight_sums of the above, without
  /// keeping the sums of weights. Arguments as above; 0 where all g are.
  void gaussian(std::span<const double> queries, std::span<const double> keys, std::span<const double> values,
                std::span<const double> strengths, double temperature, std::span<double> outputs);

  /// Softmax attention of the score x y at temperature T:  o_i = sum_j w_ij v_j, w_ij ~ g_j exp(x_i y_j / T). Any size
  /// of x y / T. Arguments as above; 0 where all g are.
  void dot_product(std::span<const double> queries, std::span<const double> keys, std::span<const double> values,
                   std::span<const double> strengths, double temperature, std::span<double> outputs);

 private:
  void sum_gaussian(std::span<const double> queries, std::span<const double> keys, std::span<const double> values,
                    std::span<const double> strengths, double temperature, std::span<double> weight_sums,
                    std::span<double> value_sums);

  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace fovea

#pragma once
/// Top-hat attention on the line, exact, by sorting and prefix sums: the mean of all within a bound (Hegselmann &
/// Krause 2002).

#include <cstdint>
#include <span>

namespace fovea {

/// Keeps its memory from call to call. Bits do not depend on the number of threads.
class WindowSums {
 public:
  /// outputs_i = sum_j g_j v_j / sum_j g_j  over  |y_j - x_i| <= bound_i;  0 where nobody is within the bound.
  /// queries (N) x, keys (M) y, values (M) v; strengths (M) g >= 0, empty: all 1; bounds (N) or (1) for all, > 0.
  void means(std::span<const double> queries, std::span<const double> keys, std::span<const double> values,
             std::span<const double> strengths, std::span<const double> bounds, std::span<double> outputs);
};

}  // namespace fovea

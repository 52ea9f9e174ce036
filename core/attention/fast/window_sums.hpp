#pragma once
/// Top-hat attention on the line, exact, by sorting and prefix sums: the mean of all within a bound (Hegselmann &
/// Krause 2002).

#include <memory>
#include <span>

namespace fovea {

/// Keeps its memory from call to call; one object for one thread of calls. Bits do not depend on the number of threads.
class WindowSums {
 public:
  WindowSums();
  ~WindowSums();
  WindowSums(WindowSums&&) noexcept;
  WindowSums& operator=(WindowSums&&) noexcept;

  /// outputs_i = sum_j g_j v_j / sum_j g_j  over  |y_j - x_i| <= bound_i;  0 where nobody is within the bound, or only
  /// g = 0 is. Whether somebody is within it is decided by |y_j - x_i| as double arithmetic rounds it, as a loop over
  /// all pairs would decide.
  /// queries (N) x, keys (M) y, values (M) v, all finite; strengths (M) g >= 0, finite, empty: all 1; bounds (N) or (1)
  /// for all, > 0. Throws ArgumentError for sizes that do not fit and for numbers outside their range.
  void means(std::span<const double> queries, std::span<const double> keys, std::span<const double> values,
             std::span<const double> strengths, std::span<const double> bounds, std::span<double> outputs);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace fovea

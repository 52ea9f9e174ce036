#pragma once
/// Confidence intervals by drawing the data again (Efron 1979).

#include <functional>
#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea {

/// How the ends are found.
enum class BootstrapKind {
  percentile,  ///< quantiles of the drawn statistics
  bca,         ///< corrected for bias and acceleration (Efron 1987): right to second order; one more evaluation of the
               ///< statistic for each group
};

struct BootstrapSettings {
  Index draws = 2000;   ///< >= 10; the ends at level 0.95 need about 2000
  double level = 0.95;  ///< of confidence, in (0, 1)
  BootstrapKind kind = BootstrapKind::bca;
};

struct BootstrapInterval {
  double estimate = 0;  ///< the statistic of the data
  double low = 0, high = 0;
  double error = 0;  ///< standard deviation of the drawn statistics
  Index draws = 0;   ///< of which the statistic was defined
};

/// statistic(rows): of the examples with these numbers, some of them more than once; NaN where it has no meaning (a
/// correlation of equal values): such draws are left out.
/// count    examples, >= 2
/// groups   (count) any numbers: whole groups are drawn, since their members are not independent; empty: each example
///          is its own. At least 2 different ones.
/// A function of its arguments alone. Throws ArgumentError, also where the statistic of the data itself, or of more
/// than half of the draws, is NaN.
BootstrapInterval bootstrap_interval(Index count, const std::function<double(std::span<const Index> rows)>& statistic,
                                     const Random& random, const BootstrapSettings& settings = {},
                                     std::span<const Index> groups = {});

/// The same of first(rows) - second(rows): two measures of the same examples on the same draws, so that what both owe
/// to an example cancels (paired). An interval that leaves out 0 says that they differ.
BootstrapInterval bootstrap_difference(Index count, const std::function<double(std::span<const Index> rows)>& first,
                                       const std::function<double(std::span<const Index> rows)>& second,
                                       const Random& random, const BootstrapSettings& settings = {},
                                       std::span<const Index> groups = {});

/// How often each of `count` examples is among the rows: weights for a measure that needs no new order of the examples,
/// such as RankedOutcomes::auroc(), which makes a draw O(count).
std::vector<double> times_drawn(std::span<const Index> rows, Index count);

}  // namespace fovea

#pragma once
/// What decisions by a risk are worth, at each threshold of the risk.
///
///   net benefit(t) = TP / N - FP / N  t / (1 - t)                               (Vickers & Elkin 2006, equation 1)
///
/// A threshold t says that a case that it happens to is worth (1 - t) / t cases that are treated in vain. To treat none
/// has net benefit 0 at every threshold, to treat all share - (1 - share) t / (1 - t).

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea {

/// One entry a threshold. Intervals are percentiles of the bootstrap, pointwise, 95 %; lower ends of differences are of
/// the same draws (paired).
struct DecisionCurve {
  std::vector<double> value, low, high;                 ///< of the risks
  std::vector<double> all;                              ///< to treat all
  std::vector<double> other;                            ///< of the other risks
  std::vector<double> over_all_low;                     ///< lower end of the advantage over treating all
  std::vector<double> over_other_low, over_other_high;  ///< ends of the advantage over the other risks
  std::vector<Index> called;                            ///< cases with a risk of at least the threshold
};

/// risks, other (N) any numbers but NaN; outcomes (N) 0 or 1; groups (N): whole groups are drawn; thresholds in (0, 1),
/// ascending; draws >= 10. A function of its arguments alone. Throws ArgumentError.
DecisionCurve decision_curve(std::span<const double> risks, std::span<const double> other,
                             std::span<const Index> outcomes, std::span<const Index> groups,
                             std::span<const double> thresholds, Index draws, const Random& random);

}  // namespace fovea

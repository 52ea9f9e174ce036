#pragma once
/// What PCMCI and PCMCI+ share: their rows, their test, and the selection of lagged conditions.

#include <span>
#include <vector>

#include "fovea/core/linear/lagged_gram.hpp"
#include "fovea/core/linear/partial_correlation.hpp"
#include "fovea/domains/lag/methods/peer_links.hpp"

namespace fovea::lag::methods {

/// The lagged columns of a table and the test of conditional independence on them. All tests use the same rows: those
/// with twice the longest lag behind them, which conditions at the lag of a cause's own cause need.
class LaggedTests {
 public:
  LaggedTests(const datasets::series::SeriesTable& table, const LagSettings& settings);

  const LaggedGram& gram() const { return gram_; }
  Index column(const LaggedNode& node) const { return gram_.column(node.series, node.lag); }

  /// Partial correlation of x and y given z, Student's t with rows - 2 - |z| degrees of freedom. A constant x or y, or
  /// one that z explains to the last digit: correlation 0, p = 1.
  CorrelationTest test(const LaggedNode& x, const LaggedNode& y, std::span<const LaggedNode> z) const;
  CorrelationTest test(const ConditioningSet& given, const ConditioningSet::Projection& x,
                       const ConditioningSet::Projection& y) const;

 private:
  LaggedGram gram_;
};

/// One target's candidates after the selection.
struct LaggedConditions {
  std::vector<LaggedNode> parents;     ///< a superset of the lagged parents, the strongest first
  std::vector<CorrelationTest> tests;  ///< of every (series, lag), series by series: that with the largest p-value
};

/// The first phase, "PC1" (Runge et al. 2019, algorithm S1): candidates are tested given 0, 1, 2, ... of the strongest
/// others, by their smallest |partial correlation| so far, and leave when p > alpha.
LaggedConditions select_conditions(const LaggedTests& tests, std::span<const Index> lags, Index target, double alpha);

/// For every series, by several threads.
std::vector<LaggedConditions> select_all_conditions(const LaggedTests& tests, std::span<const Index> lags,
                                                    double alpha);

/// What a momentary conditional independence test conditions on (Runge et al. 2019, eq. 4): `first`, then the parents
/// of the effect without the cause, then the cause's own parents at its lag.
std::vector<LaggedNode> momentary_conditions(const LaggedNode& cause, std::span<const LaggedNode> first,
                                             std::span<const LaggedNode> effect_parents,
                                             std::span<const LaggedNode> cause_parents);

}  // namespace fovea::lag::methods

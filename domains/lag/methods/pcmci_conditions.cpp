#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "fovea/domains/lag/methods/pcmci.hpp"

namespace fovea::lag::methods {

namespace {

/// All lags that a condition can have: those asked for, and a cause's own on top of them.
std::vector<Index> lags_of_conditions(const LagSettings& settings) {
  const std::vector<Index> once = lags_with_present(settings);
  std::vector<Index> lags;
  for (const Index a : once)
    for (const Index b : once) lags.push_back(a + b);
  std::sort(lags.begin(), lags.end());
  lags.erase(std::unique(lags.begin(), lags.end()), lags.end());
  return lags;
}

/// One round of the selection: the tests of all remaining candidates given the `size` strongest others.
class SelectionRound {
 public:
  SelectionRound(const LaggedTests& tests, Index target, const std::vector<LaggedNode>& ranked, std::size_t size)
      : tests_(tests),
        target_(tests.column({target, 0})),
        ranked_(ranked),
        size_(size),
        strongest_(tests.gram().products()) {
    for (std::size_t k = 0; k < size; ++k) strongest_.join(tests.column(ranked[k]));
    of_target_ = strongest_.project(target_);
  }

  CorrelationTest test(std::size_t candidate) const {
    const Index column = tests_.column(ranked_[candidate]);
    if (candidate >= size_) return tests_.test(strongest_, strongest_.project(column), of_target_);
    ConditioningSet others = strongest_;  // it is among the strongest itself: the next in line steps in
    others.leave(column);
    others.join(tests_.column(ranked_[size_]));
    return tests_.test(others, others.project(column), others.project(target_));
  }

 private:
  const LaggedTests& tests_;
  Index target_;
  const std::vector<LaggedNode>& ranked_;
  std::size_t size_;
  ConditioningSet strongest_;
  ConditioningSet::Projection of_target_;
};

}  // namespace

LaggedTests::LaggedTests(const datasets::series::SeriesTable& table, const LagSettings& settings)
    : gram_(table.values, lags_of_conditions(settings), LaggedRows{table.recording_starts, 2 * settings.lags.back()}) {}

CorrelationTest LaggedTests::test(const ConditioningSet& given, const ConditioningSet::Projection& x,
                                  const ConditioningSet::Projection& y) const {
  if (x.left == 0 || y.left == 0) return test_correlation(0, gram_.rows(), given.rank());
  return test_correlation(given.partial_correlation(x, y), gram_.rows(), given.rank());
}

CorrelationTest LaggedTests::test(const LaggedNode& x, const LaggedNode& y, std::span<const LaggedNode> z) const {
  ConditioningSet given(gram_.products());
  for (const LaggedNode& node : z) given.join(column(node));
  return test(given, given.project(column(x)), given.project(column(y)));
}

LaggedConditions select_conditions(const LaggedTests& tests, std::span<const Index> lags, Index target, double alpha) {
  std::vector<LaggedNode> ranked;
  for (Index series = 0; series < tests.gram().series(); ++series)
    for (const Index lag : lags) ranked.push_back({series, lag});
  const auto place = [&](const LaggedNode& node) {
    const auto lag = std::lower_bound(lags.begin(), lags.end(), node.lag) - lags.begin();
    return static_cast<std::size_t>(node.series) * lags.size() + static_cast<std::size_t>(lag);
  };
  LaggedConditions found{{}, std::vector<CorrelationTest>(ranked.size())};
  std::vector<double> weakest(ranked.size(), std::numeric_limits<double>::infinity());
  for (CorrelationTest& test : found.tests) test.p_value = -1;  // below any test's
  for (std::size_t size = 0; size < ranked.size(); ++size) {
    const SelectionRound round(tests, target, ranked, size);
    std::vector<LaggedNode> remaining;
    for (std::size_t candidate = 0; candidate < ranked.size(); ++candidate) {
      const std::size_t at = place(ranked[candidate]);
      const CorrelationTest test = round.test(candidate);
      weakest[at] = std::min(weakest[at], std::abs(test.correlation));
      if (test.p_value > found.tests[at].p_value) found.tests[at] = test;
      if (test.p_value <= alpha) remaining.push_back(ranked[candidate]);
    }
    std::sort(remaining.begin(), remaining.end(), [&](const LaggedNode& a, const LaggedNode& b) {
      const std::size_t of_a = place(a), of_b = place(b);
      return weakest[of_a] != weakest[of_b] ? weakest[of_a] > weakest[of_b] : of_a < of_b;
    });
    ranked = std::move(remaining);
  }
  found.parents = std::move(ranked);
  return found;
}

std::vector<LaggedConditions> select_all_conditions(const LaggedTests& tests, std::span<const Index> lags,
                                                    double alpha) {
  const Index series = tests.gram().series();
  std::vector<LaggedConditions> all(series);
#pragma omp parallel for schedule(dynamic, 1)
  for (Index target = 0; target < series; ++target) all[target] = select_conditions(tests, lags, target, alpha);
  return all;
}

std::vector<LaggedNode> momentary_conditions(const LaggedNode& cause, std::span<const LaggedNode> first,
                                             std::span<const LaggedNode> effect_parents,
                                             std::span<const LaggedNode> cause_parents) {
  std::vector<LaggedNode> given(first.begin(), first.end());
  const auto add = [&](const LaggedNode& node) {
    if (!(node == cause) && std::find(given.begin(), given.end(), node) == given.end()) given.push_back(node);
  };
  for (const LaggedNode& node : effect_parents) add(node);
  for (const LaggedNode& node : cause_parents) add({node.series, node.lag + cause.lag});
  return given;
}

}  // namespace fovea::lag::methods

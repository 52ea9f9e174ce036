#include "fovea/core/statistics/decisions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/ordering.hpp"

namespace fovea {

namespace {

double share_of(Index part, Index rest) {
  return part + rest > 0 ? static_cast<double>(part) / static_cast<double>(part + rest) : kNan;
}

void check_decisions(const char* who, std::span<const double> risks, std::span<const Index> outcomes) {
  require(!risks.empty() && risks.size() == outcomes.size(), who, ": there are ", risks.size(), " risks and ",
          outcomes.size(), " outcomes; as many are needed, and at least one.");
  for (const double risk : risks) require(!std::isnan(risk), who, ": a risk is NaN; it must be a number.");
  for (const Index y : outcomes) require(y == 0 || y == 1, who, ": an outcome is ", y, ", but must be 0 or 1.");
}

}  // namespace

double DecisionCounts::sensitivity() const { return share_of(true_positive, false_negative); }
double DecisionCounts::specificity() const { return share_of(true_negative, false_positive); }
double DecisionCounts::positive_predictive_value() const { return share_of(true_positive, false_positive); }
double DecisionCounts::event_1() const {
  if (true_positive + false_negative == 0) return kNan;
  return true_positive == 0 ? 0 : std::min(sensitivity(), positive_predictive_value());
}

DecisionCounts decide(std::span<const double> risks, std::span<const Index> outcomes, double threshold) {
  check_decisions("decide", risks, outcomes);
  DecisionCounts counts;
  for (std::size_t i = 0; i < risks.size(); ++i) {
    if (risks[i] >= threshold)
      ++(outcomes[i] == 1 ? counts.true_positive : counts.false_positive);
    else
      ++(outcomes[i] == 1 ? counts.false_negative : counts.true_negative);
  }
  return counts;
}

double balanced_threshold(std::span<const double> risks, std::span<const Index> outcomes) {
  check_decisions("balanced_threshold", risks, outcomes);
  const std::vector<std::uint32_t> order = ascending_order(risks);
  const std::size_t happened = std::count(outcomes.begin(), outcomes.end(), Index{1});
  double threshold = std::numeric_limits<double>::infinity();
  Index found = 0, found_before = 0;
  std::size_t called = 0, called_before = 0;
  while (called < happened) {
    found_before = found, called_before = called;
    const double risk = risks[order[order.size() - 1 - called]];
    for (; called < order.size() && risks[order[order.size() - 1 - called]] == risk; ++called)
      found += outcomes[order[order.size() - 1 - called]];
    // Of both sides of the crossing event 1 is found / happened before it and found / called behind it.
    const bool over = called > happened;
    if (over && called_before > 0 && found_before * static_cast<Index>(called) >= found * static_cast<Index>(happened))
      break;
    threshold = risk;
  }
  return threshold;
}

HosmerLemeshow hosmer_lemeshow(std::span<const double> risks, std::span<const Index> outcomes, Index groups) {
  check_decisions("hosmer_lemeshow", risks, outcomes);
  for (const double p : risks) require(p >= 0 && p <= 1, "hosmer_lemeshow: a risk is ", p, ", but must be in [0, 1].");
  const auto count = static_cast<Index>(risks.size());
  require(groups >= 2 && groups <= count, "hosmer_lemeshow: groups = ", groups, " for ", count,
          " examples; there must be at least two, and an example for each.");
  const std::vector<std::uint32_t> order = ascending_order(risks);
  const Index size = count / groups;
  const auto members = static_cast<double>(size);
  HosmerLemeshow test;
  double first = 0, last = 0;
  for (Index g = 0; g < groups; ++g) {
    double expected = 0, observed = 0;
    for (Index k = g * size; k < (g + 1) * size; ++k) {
      expected += risks[order[k]];
      observed += static_cast<double>(outcomes[order[k]]);
    }
    last = expected / members;
    if (g == 0) first = last;
    test.h += (observed - expected) * (observed - expected) / (expected * (1 - last) + 0.001);
  }
  test.range = last - first;
  test.event_2 = test.h / test.range;
  return test;
}

}  // namespace fovea

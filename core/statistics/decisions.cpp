#include "fovea/core/statistics/decisions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/ordering.hpp"
#include "fovea/core/base/parallel.hpp"

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

struct CurveData {
  std::span<const double> thresholds;
  std::vector<std::size_t> steps[2];  ///< of each row, of both risks: how many thresholds call it
  std::vector<Index> outcomes;
  std::vector<std::size_t> places;  ///< of each row's group among them
};

/// Net benefits of both risks and of treating all, threshold after threshold.
struct CurveDraw {
  std::vector<double> benefit[2], all;
};

CurveDraw benefits_of_draw(const CurveData& data, const std::vector<double>& times) {
  const std::size_t count = data.thresholds.size();
  double weight = 0, positive = 0;
  std::vector<double> happened[2], not_happened[2];
  for (int k = 0; k < 2; ++k) happened[k].assign(count + 1, 0), not_happened[k].assign(count + 1, 0);
  for (std::size_t i = 0; i < data.places.size(); ++i) {
    const double w = times[data.places[i]];
    weight += w, positive += data.outcomes[i] == 1 ? w : 0;
    for (int k = 0; k < 2; ++k) (data.outcomes[i] == 1 ? happened : not_happened)[k][data.steps[k][i]] += w;
  }
  CurveDraw draw;
  for (const double t : data.thresholds) draw.all.push_back((positive - (weight - positive) * t / (1 - t)) / weight);
  for (int k = 0; k < 2; ++k) {
    draw.benefit[k].resize(count);
    double right = 0, wrong = 0;
    for (std::size_t t = count; t-- > 0;) {
      right += happened[k][t + 1], wrong += not_happened[k][t + 1];
      draw.benefit[k][t] = (right - wrong * data.thresholds[t] / (1 - data.thresholds[t])) / weight;
    }
  }
  return draw;
}

}  // namespace

double DecisionCounts::sensitivity() const { return share_of(true_positive, false_negative); }
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

DecisionCurve decision_curve(std::span<const double> risks, std::span<const double> other,
                             std::span<const Index> outcomes, std::span<const Index> groups,
                             std::span<const double> thresholds, Index draws, const Random& random) {
  const std::size_t rows = risks.size();
  require(rows > 0 && other.size() == rows && outcomes.size() == rows && groups.size() == rows && draws >= 10,
          "decision_curve: ", rows, " risks, ", other.size(), " other risks, ", outcomes.size(), " outcomes, ",
          groups.size(), " groups and ", draws, " draws; as many are needed, one at least, and ten draws.");
  require(std::is_sorted(thresholds.begin(), thresholds.end()) && !thresholds.empty() && thresholds.front() > 0 &&
              thresholds.back() < 1,
          "decision_curve: thresholds must ascend within (0, 1).");
  CurveData data{thresholds, {}, {outcomes.begin(), outcomes.end()}, {}};
  std::map<Index, std::size_t> numbers;
  const auto called_at = [&](double risk) {
    require(!std::isnan(risk), "decision_curve: a risk is NaN; it must be a number.");
    return static_cast<std::size_t>(std::upper_bound(thresholds.begin(), thresholds.end(), risk) - thresholds.begin());
  };
  for (std::size_t i = 0; i < rows; ++i) {
    data.steps[0].push_back(called_at(risks[i])), data.steps[1].push_back(called_at(other[i]));
    data.places.push_back(numbers.try_emplace(groups[i], numbers.size()).first->second);
  }
  std::vector<CurveDraw> drawn(draws);
  for_each_task(
      draws, rows >= 1000,  // below, threads take longer to start than a draw
      [&](Index d) {
        std::vector<double> times(numbers.size(), 0.0);
        for (std::size_t k = 0; k < times.size(); ++k)
          ++times[random.below(times.size(), k, static_cast<std::uint64_t>(d))];
        drawn[d] = benefits_of_draw(data, times);
      },
      16);
  CurveDraw whole = benefits_of_draw(data, std::vector<double>(numbers.size(), 1.0));
  DecisionCurve curve;
  for (std::size_t t = 0; t < thresholds.size(); ++t) {
    std::vector<double> own, over_all, over_other;
    for (const CurveDraw& draw : drawn) {
      own.push_back(draw.benefit[0][t]);
      over_all.push_back(draw.benefit[0][t] - draw.all[t]);
      over_other.push_back(draw.benefit[0][t] - draw.benefit[1][t]);
    }
    for (auto* list : {&own, &over_all, &over_other}) std::sort(list->begin(), list->end());
    curve.low.push_back(sorted_quantile(own, 0.025)), curve.high.push_back(sorted_quantile(own, 0.975));
    curve.over_all_low.push_back(sorted_quantile(over_all, 0.025));
    curve.over_other_low.push_back(sorted_quantile(over_other, 0.025));
    curve.over_other_high.push_back(sorted_quantile(over_other, 0.975));
    curve.called.push_back(std::count_if(data.steps[0].begin(), data.steps[0].end(), [&](auto s) { return s > t; }));
  }
  curve.value = std::move(whole.benefit[0]), curve.other = std::move(whole.benefit[1]),
  curve.all = std::move(whole.all);
  return curve;
}

}  // namespace fovea

#include "fovea/core/statistics/decision_curve.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/parallel.hpp"

namespace fovea {

namespace {

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

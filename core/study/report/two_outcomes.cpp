#include "fovea/core/study/report/two_outcomes.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/decisions.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/core/study/report/use_findings.hpp"

namespace fovea::study {

namespace {

/// Hundredths, and thousandths for what is rare.
std::vector<double> decision_thresholds() {
  std::vector<double> thresholds;
  for (int k = 1; k < 10; ++k) thresholds.push_back(k / 1000.0);
  for (int k = 1; k < 100; ++k) thresholds.push_back(k / 100.0);
  return thresholds;
}

UsefulThresholds useful_thresholds(const DecisionCurve& curve, const std::vector<double>& thresholds,
                                   const std::vector<bool>& usable) {
  UsefulThresholds best, now;
  for (std::size_t t = 0; t < thresholds.size(); ++t) {
    if (usable[t] && curve.low[t] > 0 && curve.over_all_low[t] > 0) {
      if (now.run++ == 0) now.from = thresholds[t];
      now.to = thresholds[t];
      now.over_ridge += curve.over_other_low[t] > 0 ? 1 : 0;
      now.under_ridge += curve.over_other_high[t] < 0 ? 1 : 0;
      if (now.run > best.run) best = now;
    } else {
      now = {};
    }
  }
  best.usable = static_cast<std::size_t>(std::count(usable.begin(), usable.end(), true));
  return best;
}

/// At one threshold.
struct DrawnBenefit {
  double threshold;
  ValueInterval ours;
  double ridge, all;
};

}  // namespace

std::optional<TwoOutcomes> two_outcomes(const StudyOutcome& outcome, const Examination& examined) {
  const Target& target = outcome.target;
  const bool two = target.rule().binary() || (target.rule().named() && target.classes.size() == 2);
  if (!two || target.level != TargetLevel::per_case || examined.predictions.size() < 2) return std::nullopt;
  const std::string event = target.classes.size() == 2 ? target.classes[1] : "1";
  TwoOutcomes tested{{}, {}, {}, {}, {}, target.name == event ? event : target.name + " = " + event};
  const std::vector<Index> rows = known_rows_of(outcome.test_targets), groups = group_numbers(outcome.cases);
  const Index column = target.rule().binary() ? 0 : 1;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto row = static_cast<Index>(k);
    tested.risks.push_back(std::clamp(examined.predictions[0].mean(row, column), 0.0, 1.0));
    tested.ridge.push_back(std::clamp(examined.predictions[1].mean(row, column), 0.0, 1.0));
    tested.outcomes.push_back(static_cast<Index>(examined.targets[k]));
    tested.items.push_back(outcome.split.test[rows[k]]);
    tested.groups.push_back(groups[tested.items.back()]);
  }
  const auto happened = std::count(tested.outcomes.begin(), tested.outcomes.end(), Index{1});
  if (happened == 0 || happened == std::ssize(tested.outcomes)) return std::nullopt;
  return tested;
}

void write_net_benefit(const StudyOutcome& outcome, const TwoOutcomes& tested, const Random& random, Results& results) {
  constexpr Index kCurveDraws = 1000;
  const std::vector<double> thresholds = decision_thresholds();
  const DecisionCurve curve =
      decision_curve(tested.risks, tested.ridge, tested.outcomes, tested.groups, thresholds, kCurveDraws, random);
  const Index count = std::ssize(tested.risks), cell = std::max<Index>(1, outcome.cases.smallest_cell);
  const auto happened = std::count(tested.outcomes.begin(), tested.outcomes.end(), Index{1});
  const double share = static_cast<double>(happened) / static_cast<double>(count);
  const auto drawable = [&](double benefit) { return benefit < -share ? kNan : benefit; };
  std::vector<bool> usable;
  std::vector<DrawnBenefit> list;
  for (std::size_t t = 0; t < thresholds.size(); ++t) {
    const Index called = curve.called[t];
    usable.push_back(called >= cell && (called == count || count - called >= cell));
    DrawnBenefit one{thresholds[t], {}, drawable(curve.other[t]), drawable(curve.all[t])};
    if (usable.back() && curve.value[t] >= -share)
      one.ours = {curve.value[t], std::max(curve.low[t], -share), curve.high[t]};
    if (outcome.cases.smallest_cell > 1 && !usable.back()) one.ridge = kNan;
    list.push_back(one);
  }
  rows("decision_threshold", list, &DrawnBenefit::threshold, "threshold of the risk")
      .interval("net_benefit", &DrawnBenefit::ours, outcome.predictors()[0])
      .ends("95 % interval, pointwise")
      .number("net_benefit_ridge", &DrawnBenefit::ridge, outcome.predictors()[1])
      .number("net_benefit_all", &DrawnBenefit::all, "act on all")
      .number(
          "net_benefit_none", [](const DrawnBenefit&) { return 0; }, "act on none")
      .write(results);
  results.figure({.kind = "lines",
                  .name = "net_benefit",
                  .title = "Net benefit of decisions by the risk",
                  .caption = concat("Share of ", outcome.things(), " that are rightly acted on (", tested.event,
                                    "), less those wrongly acted on times t / (1 - t), when one acts from a risk of t "
                                    "on (Vickers & Elkin 2006), ",
                                    outcome.tested(),
                                    ". Shaded: 95 % interval, bootstrap over groups. Lines end where they are below ",
                                    "minus the share of the event."),
                  .variables = {"net_benefit", "net_benefit_ridge", "net_benefit_all"},
                  .references = {"net_benefit_none"},
                  .x = "decision_threshold",
                  .band_low = "net_benefit_low",
                  .band_high = "net_benefit_high",
                  .value_label = "net benefit"});
  if (outcome.config.preview) return;
  const UsefulThresholds found = useful_thresholds(curve, thresholds, usable);
  results.finding(NetBenefit{found});
  results.finding(NoNetBenefit{found});
}

}  // namespace fovea::study

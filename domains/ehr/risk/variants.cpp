#include "fovea/domains/ehr/risk/variants.hpp"

#include <cmath>

#include "fovea/core/statistics/bootstrap.hpp"
#include "fovea/core/statistics/metrics.hpp"

namespace fovea::ehr::risk {

Measure measure_of(std::size_t which, const std::vector<double>& risks, const std::vector<Index>& outcomes) {
  if (which == 2)
    return [&risks, &outcomes](std::span<const Index> rows) {
      double sum = 0;
      for (const Index row : rows) {
        const std::size_t i = row;
        const double error = risks[i] - static_cast<double>(outcomes[i]);
        sum += error * error;
      }
      return sum / static_cast<double>(rows.size());
    };
  const auto order = std::make_shared<const RankedOutcomes>(risks, outcomes);
  return [order, which, count = static_cast<Index>(risks.size())](std::span<const Index> rows) {
    const std::vector<double> weights = times_drawn(rows, count);
    return which == 0 ? order->auroc(weights) : order->average_precision(weights);
  };
}

Index trainings_of_variant(Index folds, Index members) {
  constexpr Index kUsualFolds = 5;  // where a file gives them
  return ((folds > 0 ? folds : kUsualFolds) + 1) * members;
}

study::CrossValidation cross_validated_variant(const std::string& name, const study::LearnedTask& task,
                                               const study::StudyOutcome& outcome, const study::Cases& cases,
                                               const Changes& changes, const Random& random) {
  Config config = outcome.config;
  for (const auto& [key, value] : changes) config.set(key, value, {});
  study::FoldPlan plan{outcome.folds->fold_of_case, {}};
  for (const study::FoldModel& fold : outcome.folds->models) plan.splits.push_back(fold.split);
  plan.splits.push_back({outcome.split.training, outcome.split.validation, {}, outcome.split.calibration});
  return study::cross_validated(task, outcome.target, cases, std::move(plan), config, random, outcome.trainings,
                                name + ": ")
      .folds;
}

KnownCases known_cases(const study::StudyOutcome& outcome) {
  KnownCases known;
  const std::vector<Index> groups = study::group_numbers(outcome.cases);
  for (Index b = 0; b < outcome.cases.count(); ++b) {
    const double y = outcome.cases.targets[b];
    if (std::isnan(y)) continue;
    known.items.push_back(b);
    known.outcomes.push_back(static_cast<Index>(y));
    known.groups.push_back(groups[b]);
  }
  return known;
}

}  // namespace fovea::ehr::risk

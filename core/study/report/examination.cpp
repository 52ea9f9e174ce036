#include "fovea/core/study/report/examination.hpp"

#include "fovea/core/study/baselines/baselines.hpp"
#include "fovea/core/study/ensemble/rows.hpp"

namespace fovea::study {

namespace {

constexpr Index kBootstrapDraws = 1000;  // of the bootstrap

}  // namespace

Examination examined(const StudyOutcome& outcome, const std::vector<Predictions>& all, const Random& random) {
  const std::vector<Index> known = known_rows_of(outcome.test_targets);
  const std::vector<Index> groups =
      entries_of(groups_of_rows(outcome.cases, outcome.target, outcome.split.test), known);
  Examination found;
  found.targets = entries_of(outcome.test_targets, known);
  for (const Predictions& predictions : all) {
    found.predictions.push_back(rows_of(predictions, known));
    found.scores.push_back(scored(outcome.target, found.predictions.back(), found.targets, groups, kBootstrapDraws,
                                  random.stream("bootstrap of scores")));
  }
  return found;
}

Examination examine_test(const StudyOutcome& outcome, const std::vector<Predictions>& others, const Random& random) {
  const Cases& cases = outcome.cases;
  const Target& target = outcome.target;
  const Split& split = outcome.split;
  const std::vector<double> training = targets_of(cases, target, split.training);
  std::vector<Predictions> all{
      outcome.predictions,
      ridge(target, mean_inputs(cases, outcome.inputs, target, split.training), training,
            mean_inputs(cases, outcome.inputs, target, split.validation), targets_of(cases, target, split.validation),
            mean_inputs(cases, outcome.inputs, target, split.test)),
      base_rate(target, entries_of(training, known_rows_of(training)), outcome.predictions.mean.rows())};
  all.insert(all.end(), others.begin(), others.end());
  return examined(outcome, all, random);
}

}  // namespace fovea::study

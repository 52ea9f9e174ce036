#include "fovea/domains/particle/tag/variants.hpp"

#include <cmath>

#include "fovea/core/study/ensemble/fitting.hpp"

namespace fovea::particle::tag {

namespace {

constexpr Index kTokensOfVariant = 8192;

}  // namespace

std::vector<study::Member> trained_variant(const std::string& name, const study::LearnedTask& task,
                                           const study::StudyOutcome& outcome, const Changes& changes,
                                           const Random& random) {
  const Config config = changed(outcome.config, changes);
  const study::Preparation& preparation = outcome.model.preparation;
  std::vector<study::Member> members =
      study::make_members(task, config, study::shape_of(preparation, outcome.target), random.stream("members"));
  study::fit_members(members, name, outcome.target, preparation, outcome.cases, outcome.inputs, outcome.split,
                     study::fitting_keys().read(config), random.stream("training"), outcome.trainings);
  return members;
}

std::vector<double> mean_logits(const std::vector<study::Member>& members, const study::StudyOutcome& outcome,
                                const std::vector<Index>& items) {
  std::vector<double> mean(items.size());
  for (const study::Member& member : members) {
    const Matrix<double> logits =
        study::outputs_of(member, outcome.target, outcome.cases, outcome.inputs, items, kTokensOfVariant);
    for (std::size_t i = 0; i < mean.size(); ++i)
      mean[i] += logits(static_cast<Index>(i), 0) / static_cast<double>(members.size());
  }
  return mean;
}

std::vector<Index> labels_of(const study::StudyOutcome& outcome, const std::vector<Index>& items) {
  std::vector<Index> labels;
  for (const Index item : items) labels.push_back(static_cast<Index>(outcome.cases.targets[item]));
  return labels;
}

std::vector<Index> known_test_cases(const study::StudyOutcome& outcome) {
  std::vector<Index> known;
  for (const Index item : outcome.split.test)
    if (!std::isnan(outcome.cases.targets[item])) known.push_back(item);
  return known;
}

}  // namespace fovea::particle::tag

#include "fovea/domains/mechanism/tasks/example_sets.hpp"

#include <numeric>

namespace fovea::mechanism::tasks {

std::vector<Index> ExampleSets::sizes() const {
  std::vector<Index> sizes;
  for (Index example = 0; example < count(); ++example) sizes.push_back(size(example));
  return sizes;
}

template <typename Real>
PackedSets<Real> pack(learning::Tape<Real>& tape, const ExampleSets& sets, std::span<const Index> examples) {
  learning::Tokens& tokens = tape.template kept<learning::Tokens>();
  tokens.offsets.assign(1, 0);
  for (const Index example : examples) tokens.offsets.push_back(tokens.offsets.back() + sets.size(example));
  const learning::Variable<Real> x = tape.constant(tokens.count(), sets.tokens.cols());
  for (std::size_t k = 0; k < examples.size(); ++k)
    x.value().middleRows(tokens.offsets[k], sets.size(examples[k])) =
        sets.tokens.middleRows(sets.begin(examples[k]), sets.size(examples[k])).template cast<Real>();
  return {x, &tokens};
}

template PackedSets<float> pack(learning::Tape<float>&, const ExampleSets&, std::span<const Index>);
template PackedSets<double> pack(learning::Tape<double>&, const ExampleSets&, std::span<const Index>);

std::vector<Index> numbers_from(Index first, Index count) {
  std::vector<Index> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

learning::TrainingProblem problem_of(const ExampleSets& sets, Index validation) {
  learning::TrainingProblem problem;
  const Index training = sets.count() - validation;
  problem.tokens = sets.sizes();
  problem.training = numbers_from(0, training);
  problem.validation = numbers_from(training, validation);
  return problem;
}

learning::TrainingSettings training_settings(const Config& config, const std::string& name) {
  learning::TrainingSettings settings;
  settings.name = name;
  settings.epochs = config.integer("epochs");
  settings.schedule.learning_rate = config.real("learning_rate");
  settings.schedule.warm_up_steps = 50;
  settings.schedule.course = learning::RateCourse::cosine;
  settings.batches = {1024, 1024, true, 0};
  return settings;
}

}  // namespace fovea::mechanism::tasks

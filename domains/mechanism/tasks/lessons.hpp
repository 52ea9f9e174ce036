#pragma once
/// Lessons: what a network answers to examples, what it should answer, and how it is trained and examined.

#include <functional>
#include <string>
#include <vector>

#include "fovea/domains/mechanism/tasks/example_sets.hpp"

namespace fovea::mechanism::tasks {

/// What a network answers to some examples, on a tape: the rows of each example, one after the other.
using Answers = std::function<learning::Variable<float>(learning::Tape<float>&, std::span<const Index> examples)>;
/// The loss of a TrainingProblem.
using Loss = decltype(learning::TrainingProblem::loss);

/// The answers of a network that reads packed sets, a function of (x, tokens). `sets` must outlive them.
Answers answers_to(
    const ExampleSets& sets,
    std::function<learning::Variable<float>(learning::Variable<float> x, const learning::Tokens&)> network);

/// The answers to all sets, without dropout.
Matrix<float> examine(const learning::Parameters<float>& parameters, const ExampleSets& sets, const Answers& answers);

/// Of one example: the class of each of its rows; the numbers of its rows, row by row.
using ClassesOf = std::function<std::span<const Index>(Index example)>;
using NumbersOf = std::function<std::vector<float>(Index example)>;

/// Losses of the answers (losses.hpp), all rows with weight 1.
Loss cross_entropy_of(Answers logits, ClassesOf classes);
Loss logistic_loss_of(Answers logits, NumbersOf numbers);
Loss squared_loss_of(Answers answers, NumbersOf numbers);

/// A problem without its loss: the last `validation` of the examples choose the epoch, the others are learned from.
/// tokens: of each example.
learning::TrainingProblem problem_of(std::vector<Index> tokens, Index validation);

/// Declares `training_examples`, `validation_examples` and `test_examples`: the defaults.
void declare_examples(Schema& schema, std::int64_t training, std::int64_t validation, std::int64_t test);

/// The examples that these keys ask for; make(count, random) makes some. learned: the last `validation_examples` of
/// them choose the epoch.
template <typename Task>
struct Examples {
  Task learned, test;
};
template <typename Make>
auto examples_of(const Config& config, const Random& random, const Make& make) {
  const Index learned = config.integer("training_examples") + config.integer("validation_examples");
  return Examples<decltype(make(learned, random))>{
      make(learned, random.stream("examples to learn from")),
      make(config.integer("test_examples"), random.stream("examples to examine"))};
}

/// Declares `epochs` and `learning_rate`: the defaults.
void declare_training(Schema& schema, std::int64_t epochs, double learning_rate);
/// What these two keys ask for: 50 steps of warm-up, then a cosine; batches of 1024 tokens.
learning::TrainingSettings training_settings(const Config& config, const std::string& name);

/// What `training.epochs`, `training.rate` and `training.batch` ask for: a cosine down to a hundredth of the rate;
/// batches of training.batch times `tokens` tokens, each in two shards.
learning::TrainingSettings training_table(const Config& config, const std::string& name, Index tokens);

}  // namespace fovea::mechanism::tasks

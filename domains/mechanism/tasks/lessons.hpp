#pragma once
/// Lessons: what a network answers to examples, what it should answer, and how it is trained and examined.

#include <functional>
#include <string>
#include <vector>

#include "fovea/core/config/keys.hpp"
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

/// How many examples are made, and how they are learned from.
struct ExampleCounts {
  Index training = 8192, validation = 512, test = 4096;
};
/// `training_examples`, `validation_examples`, `test_examples`.
const Keys<ExampleCounts>& example_keys();

/// Examples by make(count, random). learned: the last `validation` of them choose the epoch.
template <typename Task>
struct Examples {
  Task learned, test;
};
template <typename Make>
auto examples_of(const ExampleCounts& counts, const Random& random, const Make& make) {
  const Index learned = counts.training + counts.validation;
  return Examples<decltype(make(learned, random))>{make(learned, random.stream("examples to learn from")),
                                                   make(counts.test, random.stream("examples to examine"))};
}

struct LessonSettings {
  Index epochs = 12;
  double learning_rate = 1e-2;
};
/// `epochs`, `learning_rate`.
const Keys<LessonSettings>& lesson_keys();
/// 50 steps of warm-up, then a cosine; batches of 1024 tokens.
learning::TrainingSettings training_settings(const LessonSettings& lessons, const std::string& name);

struct CourseSettings {
  Index epochs = 12, batch = 128;
  double rate = 0.01;
};
/// `training.epochs`, `training.rate`.
const Keys<CourseSettings>& course_keys();
/// A cosine down to a hundredth of the rate; batches of `batch` times `tokens` tokens, each in two shards.
learning::TrainingSettings training_table(const CourseSettings& course, const std::string& name, Index tokens);

}  // namespace fovea::mechanism::tasks

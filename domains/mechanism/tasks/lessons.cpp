#include "fovea/domains/mechanism/tasks/lessons.hpp"

#include <algorithm>

#include "fovea/core/learning/losses.hpp"
#include "fovea/domains/mechanism/shared_keys.hpp"
#include "fovea/domains/mechanism/tasks/word_block.hpp"

namespace fovea::mechanism::tasks {

Answers answers_to(
    const ExampleSets& sets,
    std::function<learning::Variable<float>(learning::Variable<float> x, const learning::Tokens&)> network) {
  return [&sets, network = std::move(network)](learning::Tape<float>& tape, std::span<const Index> examples) {
    const PackedSets<float> packed = pack(tape, sets, examples);
    return network(packed.x, *packed.tokens);
  };
}

Matrix<float> examine(const learning::Parameters<float>& parameters, const ExampleSets& sets, const Answers& answers) {
  return learning::predict(parameters, sets.sizes(), numbers_from(0, sets.count()), answers);
}

namespace {

/// What the answers to these examples should be, kept by the tape until its next begin().
const Matrix<float>& wanted(learning::Variable<float> answers, std::span<const Index> examples,
                            const NumbersOf& numbers) {
  auto& wanted = answers.tape().kept<Matrix<float>>();
  wanted.resize(answers.rows(), answers.columns());
  float* next = wanted.data();
  for (const Index example : examples) {
    const std::vector<float> row = numbers(example);
    next = std::copy(row.begin(), row.end(), next);
  }
  return wanted;
}

}  // namespace

Loss cross_entropy_of(Answers logits, ClassesOf classes) {
  return [logits = std::move(logits), classes = std::move(classes)](learning::Tape<float>& tape,
                                                                    std::span<const Index> examples, float total) {
    auto& wanted = tape.kept<std::vector<Index>>();
    wanted.clear();
    for (const Index example : examples) {
      const std::span<const Index> rows = classes(example);
      wanted.insert(wanted.end(), rows.begin(), rows.end());
    }
    return learning::cross_entropy_loss<float>(logits(tape, examples), wanted, {}, total);
  };
}

Loss logistic_loss_of(Answers logits, NumbersOf numbers) {
  return [logits = std::move(logits), numbers = std::move(numbers)](learning::Tape<float>& tape,
                                                                    std::span<const Index> examples, float total) {
    const learning::Variable<float> x = logits(tape, examples);
    return learning::logistic_loss<float>(x, wanted(x, examples, numbers), {}, total);
  };
}

Loss squared_loss_of(Answers answers, NumbersOf numbers) {
  return [answers = std::move(answers), numbers = std::move(numbers)](learning::Tape<float>& tape,
                                                                      std::span<const Index> examples, float total) {
    const learning::Variable<float> x = answers(tape, examples);
    return learning::squared_loss<float>(x, wanted(x, examples, numbers), {}, total);
  };
}

learning::TrainingProblem problem_of(std::vector<Index> tokens, Index validation) {
  learning::TrainingProblem problem;
  const Index training = static_cast<Index>(tokens.size()) - validation;
  problem.tokens = std::move(tokens);
  problem.training = numbers_from(0, training);
  problem.validation = numbers_from(training, validation);
  return problem;
}

const Keys<ExampleCounts>& example_keys() {
  static const Range some = Range::between(10, 1e7);
  static const auto keys = Keys<ExampleCounts>()
                               .key(kTrainingExamples, &ExampleCounts::training)
                               .key("validation_examples", &ExampleCounts::validation, some, "",
                                    "validation sequences, for the choice of the epoch")
                               .key("test_examples", &ExampleCounts::test, some, "", "test sequences");
  return keys;
}

const Keys<LessonSettings>& lesson_keys() {
  using S = LessonSettings;
  static const auto keys = Keys<S>().key(kEpochs, &S::epochs).key(kLearningRate, &S::learning_rate);
  return keys;
}

learning::TrainingSettings training_settings(const LessonSettings& lessons, const std::string& name) {
  learning::TrainingSettings settings;
  settings.name = name;
  settings.epochs = lessons.epochs;
  settings.schedule.learning_rate = lessons.learning_rate;
  settings.schedule.warm_up_steps = 50;
  settings.schedule.course = learning::RateCourse::cosine;
  settings.batches = {1024, 1024, true, 0};
  return settings;
}

const Keys<CourseSettings>& course_keys() {
  using S = CourseSettings;
  static const auto keys =
      Keys<S>()
          .key("training.epochs", &S::epochs, Range::between(1, 1e4), "", "epochs")
          .key("training.rate", &S::rate, Range{0, 1, true, false}, "", "highest learning rate; falls as a cosine");
  return keys;
}

const Keys<WordBlock>& word_block_keys() {
  using B = WordBlock;
  static const auto keys =
      Keys<B>()
          .key("model.width", &B::width, Range::between(2, 1024), "", "columns of a word's representation")
          .key("model.heads", &B::heads, Range::between(1, 64), "",
               "heads of a Transformer block; must divide the width")
          .key("model.hidden", &B::hidden, Range::between(1, 4096), "", "width of the hidden layer of a block")
          .key("model.position_base", &B::position_base, Range::between(2, 1e6), "words",
               "base of the sinusoidal positions: the longest wavelength is 2 pi times as many words");
  return keys;
}

learning::TrainingSettings training_table(const CourseSettings& course, const std::string& name, Index tokens) {
  learning::TrainingSettings settings;
  settings.name = name;
  settings.epochs = course.epochs;
  settings.schedule.learning_rate = course.rate;
  settings.schedule.course = learning::RateCourse::cosine;
  settings.schedule.last_share = 0.01;
  settings.batches.tokens = course.batch * tokens;
  settings.batches.shard_tokens = (settings.batches.tokens + 1) / 2;
  return settings;
}

}  // namespace fovea::mechanism::tasks

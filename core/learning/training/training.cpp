#include "fovea/core/learning/training/training.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/training/training_run.hpp"
#include "fovea/core/learning/training/training_shards.hpp"

namespace fovea::learning {

namespace {

void check_numbers(const char* which, const std::vector<Index>& examples, Index count) {
  for (const Index example : examples)
    require(example >= 0 && example < count, "train: there is no example ", example, " to ", which, "; there are ",
            count, ", counted from 0.");
}

void check_problem(const TrainingProblem& problem, const TrainingSettings& settings) {
  require(static_cast<bool>(problem.loss), "train: the problem has no loss; give it a function.");
  require(!problem.training.empty(), "train: there are no training examples; at least one is needed.");
  check_numbers("learn from", problem.training, problem.tokens.size());
  check_numbers("validate with", problem.validation, problem.tokens.size());
  require(problem.weights.empty() || problem.weights.size() == problem.tokens.size(), "train: there are ",
          problem.tokens.size(), " examples, but ", problem.weights.size(), " weights; each needs one, or none has.");
  for (const double weight : problem.weights)
    require(weight >= 0 && std::isfinite(weight), "train: the weight of an example is ", weight, ", but must be >= 0.");
  require(!problem.metric || problem.metric->value, "train: the metric has no function.");
  require(settings.epochs >= 1, "train: epochs = ", settings.epochs, ", but must be >= 1.");
  require(settings.patience >= 0, "train: patience = ", settings.patience, ", but must be >= 0.");
  require(settings.improvement >= 0, "train: improvement = ", settings.improvement, ", but must be >= 0.");
}

/// All examples in order, cut into shards of one batch.
Batch whole_batch(std::span<const Index> examples, std::span<const Index> tokens, BatchSettings settings) {
  settings.shuffle = false;
  settings.bucket = 0;
  settings.tokens = std::numeric_limits<Index>::max();
  settings.examples = 0;
  const std::vector<Batch> batches = make_batches(examples, tokens, settings, Random(0), 0);
  return batches.empty() ? Batch{{}, {0}} : batches.front();
}

}  // namespace

double total_weight(const TrainingProblem& problem, std::span<const Index> examples) {
  if (problem.weights.empty()) return static_cast<double>(examples.size());
  double sum = 0;
  for (const Index example : examples) sum += problem.weights[example];
  return sum;
}

double measured_loss(Shards& shards, const Parameters<float>& parameters, const TrainingProblem& problem,
                     std::span<const Index> examples, const BatchSettings& settings) {
  const double total = total_weight(problem, examples);
  if (!(total > 0)) return 0;
  return shards.measure(parameters, whole_batch(examples, problem.tokens, settings), problem.loss, total);
}

TrainingReport train(Parameters<float>& parameters, const TrainingProblem& problem, const TrainingSettings& settings,
                     const Random& random, Workbench& bench) {
  check_problem(problem, settings);
  return TrainingRun(parameters, problem, settings, random, bench).finish();
}

double mean_loss(const Parameters<float>& parameters, const TrainingProblem& problem, std::span<const Index> examples,
                 const BatchSettings& settings) {
  Shards shards;
  return measured_loss(shards, parameters, problem, examples, settings);
}

Matrix<float> predict(const Parameters<float>& parameters, std::span<const Index> tokens,
                      std::span<const Index> examples,
                      const std::function<Variable<float>(Tape<float>&, std::span<const Index> examples)>& output,
                      const BatchSettings& settings) {
  const Batch batch = whole_batch(examples, tokens, settings);
  std::vector<Matrix<float>> parts(batch.shards());
  Shards shards;
  shards.run(batch.shards(), [&](Tape<float>& tape, Index shard) {
    tape.begin(&parameters, {});
    parts[shard] = output(tape, batch.shard(shard)).value();
  });
  Index rows = 0;
  for (const Matrix<float>& part : parts) rows += part.rows();
  Matrix<float> all(rows, parts.empty() ? 0 : parts.front().cols());
  rows = 0;
  for (const Matrix<float>& part : parts) {
    require(part.cols() == all.cols(), "predict: some examples have ", part.cols(), " columns of output, others ",
            all.cols(), "; they must have the same.");
    all.middleRows(rows, part.rows()) = part;
    rows += part.rows();
  }
  return all;
}

}  // namespace fovea::learning

#pragma once
/// A small problem whose answer is known, for tests of the training loop.

#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/training/training.hpp"
#include "fovea/tests/support/runs/bench.hpp"

namespace fovea::learning {

inline constexpr Index kInputs = 3;

/// Each set's number is the sum over its tokens of x w + b; the answer is known, the sizes are 1 ... 9.
struct LineTask {
  std::vector<Index> sizes;
  std::vector<Matrix<float>> tokens;
  std::vector<float> targets;
  float input_noise = 0.01f;  ///< added while training: a random number of the pass, as dropout is one
};

inline LineTask line_task(Index count, double noise) {
  const Random random = Random(7).stream("line task");
  LineTask task;
  std::uint64_t draws = 0;
  for (Index e = 0; e < count; ++e) {
    const Index size = 1 + e % 9;
    Matrix<float> x(size, kInputs);
    for (Index k = 0; k < x.size(); ++k) x.data()[k] = static_cast<float>(random.normal(draws++));
    const double sum = x.cast<double>().colwise().sum() * Eigen::Vector3d(0.5, -1, 2);
    task.sizes.push_back(size);
    task.targets.push_back(static_cast<float>(sum + 0.25 * static_cast<double>(size) + noise * random.normal(draws++)));
    task.tokens.push_back(x);
  }
  return task;
}

/// The squared error of each set's sum, over `total`.
inline Variable<float> line_loss(Tape<float>& tape, Variable<float> y, const LineTask& task,
                                 std::span<const Index> examples, float total) {
  Variable<float> loss = tape.result(1, 1, {y});
  float* const errors = tape.room(static_cast<Index>(examples.size()));
  float sum = 0;
  Index row = 0;
  for (std::size_t k = 0; k < examples.size(); ++k) {
    const std::size_t e = examples[k];
    float answer = 0;
    for (Index i = 0; i < task.sizes[e]; ++i) answer += y.data()[row++];
    errors[k] = answer - task.targets[e];
    sum += errors[k] * errors[k];
  }
  loss.data()[0] = sum / total;
  tape.on_backward(loss, [=, &task] {
    Index r = 0;
    for (std::size_t k = 0; k < examples.size(); ++k)
      for (Index i = 0; i < task.sizes[examples[k]]; ++i)
        y.gradient()[r++] += 2 * errors[k] / total * loss.gradient()[0];
  });
  return loss;
}

inline Variable<float> packed_tokens(Tape<float>& tape, const LineTask& task, std::span<const Index> examples) {
  Index rows = 0;
  for (const Index e : examples) rows += task.sizes[e];
  Variable<float> x = tape.constant(rows, kInputs);
  rows = 0;
  for (const Index e : examples) {
    const Matrix<float>& own = task.tokens[e];
    x.value().middleRows(rows, own.rows()) = own;
    rows += own.rows();
  }
  const Pass& pass = tape.pass();
  for (Index k = 0; k < x.size() && pass.training; ++k)
    x.data()[k] += task.input_noise * static_cast<float>(pass.random.normal(static_cast<std::uint64_t>(k), pass.step));
  return x;
}

struct LineModel {
  Parameters<float> parameters;
  ParameterPlace weight, bias;
  LineModel() {
    weight = parameters.add("weight", Matrix<float>::Constant(kInputs, 1, 0.1f));
    bias = parameters.add("bias", Matrix<float>::Zero(1, 1), Decay::no);
  }
  Variable<float> output(Tape<float>& tape, const LineTask& task, std::span<const Index> examples) const {
    return linear(packed_tokens(tape, task, examples), tape.parameter(weight), tape.parameter(bias));
  }
};

inline TrainingProblem line_problem(const LineModel& model, const LineTask& task, Index validation) {
  TrainingProblem problem;
  problem.tokens = task.sizes;
  const auto count = static_cast<Index>(task.sizes.size());
  for (Index e = 0; e < count; ++e) (e < count - validation ? problem.training : problem.validation).push_back(e);
  problem.loss = [&](Tape<float>& tape, std::span<const Index> examples, float total) {
    return line_loss(tape, model.output(tape, task, examples), task, examples, total);
  };
  return problem;
}

inline TrainingSettings line_settings(Index epochs) {
  TrainingSettings settings;
  settings.epochs = epochs;
  settings.optimizer = AdamW{0.9, 0.99, 1e-8, 0.01};
  settings.schedule.learning_rate = 0.05;
  settings.schedule.warm_up_steps = 3;
  settings.schedule.course = RateCourse::plateau;
  settings.schedule.plateau_epochs = 1;
  settings.batches = {60, 16, true, 0};
  return settings;
}

/// What a training ends in, for comparing bits.
struct Ending {
  std::vector<float> values;
  TrainingReport report;
};

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

inline bool same_ending(const Ending& a, const Ending& b) {
  return a.values.size() == b.values.size() &&
         std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(float)) == 0 &&
         same_bits(a.report.training_loss, b.report.training_loss) &&
         same_bits(a.report.validation_loss, b.report.validation_loss) && same_bits(a.report.metric, b.report.metric) &&
         same_bits(a.report.learning_rate, b.report.learning_rate) &&
         same_bits(a.report.gradient_norm, b.report.gradient_norm) && a.report.steps == b.report.steps &&
         a.report.best_epoch == b.report.best_epoch && a.report.best == b.report.best &&
         a.report.stopped_early == b.report.stopped_early;
}

/// jumping: what decides about the best epoch goes up and down, so that all that counts epochs matters.
inline Ending train_line(const LineTask& task, const TrainingSettings& settings, Workbench& bench,
                         bool jumping = false) {
  LineModel model;
  TrainingProblem problem = line_problem(model, task, 10);
  problem.metric = TrainingMetric{
      [](const Parameters<float>& p) { return std::fmod(1000 * std::abs(static_cast<double>(p.values()[0])), 1.0); },
      jumping, true};
  const TrainingReport report = train(model.parameters, problem, settings, Random(5), bench);
  return {{model.parameters.values().begin(), model.parameters.values().end()}, report};
}

using support::StoppingBench;

}  // namespace fovea::learning

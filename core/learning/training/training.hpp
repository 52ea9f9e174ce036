#pragma once
/// The training loop: shuffled mini-batches, an optimiser, a schedule, early stopping, checkpoints.
///
///   TrainingProblem problem;
///   problem.tokens = sizes;                                     of each example
///   problem.training = {0, 1, 2, ...};
///   problem.validation = {...};
///   problem.loss = [&](Tape<float>& tape, std::span<const Index> examples, float total) { ... };
///   const TrainingReport report = train(parameters, problem, {}, random, bench);
///   add_learning_curves(results, "training", report);           training_curves.hpp

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/learning/tape.hpp"
#include "fovea/core/learning/training/batches.hpp"
#include "fovea/core/learning/training/clipping.hpp"
#include "fovea/core/learning/training/optimizer.hpp"
#include "fovea/core/learning/training/schedule.hpp"

namespace fovea::learning {

/// A number about the whole model after each epoch, such as an accuracy; never NaN where it decides.
struct TrainingMetric {
  std::function<double(const Parameters<float>&)> value;
  bool decides = false;  ///< about the best model, early stopping and the plateau, in place of the loss
  bool larger_is_better = true;
};

struct TrainingProblem {
  std::vector<Index> tokens;      ///< of each example, >= 0: what it costs
  std::vector<Index> training;    ///< numbers of the examples to learn from; at least one
  std::vector<Index> validation;  ///< of those that choose the best model; may be empty
  std::vector<double> weights;    ///< of each example: the sum of the weights of its losses, >= 0; empty: all 1
  /// The sum of the weighted losses of these examples over `total`, 1 x 1. total: the sum of the weights of the whole
  /// batch, of which the examples may be a part. Called on several threads at once, each with its own tape, so it must
  /// change nothing outside; what must live until backward() belongs on the tape (Tape::kept).
  std::function<Variable<float>(Tape<float>&, std::span<const Index> examples, float total)> loss;
  std::optional<TrainingMetric> metric;
};

struct TrainingSettings {
  std::string name = "training";  ///< in the log; of a series, which of its trainings
  Index epochs = 100;             ///< at most, >= 1
  OptimizerSettings optimizer = AdamW{};
  ScheduleSettings schedule;
  BatchSettings batches;
  double largest_norm = 1;   ///< of the gradient, see clip_gradients(); infinity: no clipping
  Index patience = 0;        ///< epochs without improvement after which it stops; 0: never
  double improvement = 0;    ///< of what decides, >= 0: a smaller one does not count
  bool restore_best = true;  ///< end with the parameters of the best epoch instead of the last
};

/// What happened. Curves have one value for each epoch that was completed.
struct TrainingReport {
  std::vector<double> training_loss;    ///< mean over the epoch, while learning and with dropout
  std::vector<double> validation_loss;  ///< at the epoch's end; empty without validation
  std::vector<double> metric;           ///< at the epoch's end; empty without
  std::vector<double> learning_rate;    ///< of the epoch's last step
  std::vector<double> gradient_norm;    ///< mean over the epoch, before clipping
  Index planned_epochs = 0;
  Index steps = 0;
  Index best_epoch = -1;  ///< counted from 0
  double best = 0;        ///< what decides, at the best epoch
  bool stopped_early = false;
  Index epochs() const { return static_cast<Index>(training_loss.size()); }
  void visit(Archive archive);
};

/// Learns the parameters that may learn. The best epoch is that with the lowest validation loss (training loss where
/// there is no validation), or with the best metric where that decides.
///
/// The shards of a batch run side by side on the threads there are; gradients and losses are summed in the order of
/// the shards, so the bits do not depend on threads. Dropout and shuffling are functions of (random, step).
/// After each step the bench may save a checkpoint, and a training that goes on from one ends with the same bits;
/// several trainings after one another share a bench through TrainingSeries (training_series.hpp).
///
/// Throws ArgumentError for a problem or settings that cannot be, DataError for a checkpoint of another training,
/// DivergenceError when a loss or a gradient is not finite.
TrainingReport train(Parameters<float>& parameters, const TrainingProblem& problem, const TrainingSettings& settings,
                     const Random& random, Workbench& bench);

/// The weighted mean loss of these examples, without dropout; 0 where their weights are.
double mean_loss(const Parameters<float>& parameters, const TrainingProblem& problem, std::span<const Index> examples,
                 const BatchSettings& settings = {});

/// What a model says about these examples: the rows of output(tape, some examples), one or more for each example, in
/// the order of the list, without dropout. Every row has the same bits for any settings if the operations keep to the
/// tape's rules.
Matrix<float> predict(const Parameters<float>& parameters, std::span<const Index> tokens,
                      std::span<const Index> examples,
                      const std::function<Variable<float>(Tape<float>&, std::span<const Index> examples)>& output,
                      const BatchSettings& settings = {});

}  // namespace fovea::learning

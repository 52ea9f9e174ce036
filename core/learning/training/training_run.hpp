#pragma once
/// One training in progress. Internal to core/learning.

#include <chrono>
#include <string>
#include <vector>

#include "fovea/core/learning/training/training.hpp"
#include "fovea/core/learning/training/training_shards.hpp"

namespace fovea::learning {

/// The sum of the examples' weights.
double total_weight(const TrainingProblem& problem, std::span<const Index> examples);
/// As mean_loss(), on shards that are there already.
double measured_loss(Shards& shards, const Parameters<float>& parameters, const TrainingProblem& problem,
                     std::span<const Index> examples, const BatchSettings& settings);

class TrainingRun {
 public:
  /// Goes on from the bench's state where there is one.
  TrainingRun(Parameters<float>& parameters, const TrainingProblem& problem, const TrainingSettings& settings,
              const Random& random, Workbench& bench);
  /// Trains until the end.
  TrainingReport finish();
  void visit(Archive archive);

 private:
  bool done() const;
  double fraction() const;  ///< of the planned epochs
  void prepare_epoch();
  void step();
  void learn_from(const Batch& batch, double total);
  void close_epoch();
  void judge(double loss_that_decides);
  void tell(bool at_once);
  std::string line() const;

  Parameters<float>& parameters_;
  const TrainingProblem& problem_;
  const TrainingSettings& settings_;
  Random random_;
  Workbench& bench_;
  Optimizer<float> optimizer_;
  Schedule schedule_;
  TrainingReport report_;

  // Of the state: what a checkpoint holds.
  std::int64_t epoch_ = 0;    ///< in progress
  std::int64_t batch_ = 0;    ///< next of the epoch
  std::int64_t waiting_ = 0;  ///< epochs since the best
  bool stopped_ = false;
  std::int64_t epoch_steps_ = 0;
  double loss_sum_ = 0, weight_sum_ = 0, norm_sum_ = 0, last_rate_ = 0;  ///< of the epoch in progress
  std::vector<float> best_;                                              ///< parameters; empty before the first epoch

  // Found again from the state.
  std::int64_t prepared_epoch_ = -1;
  std::vector<Batch> batches_;
  std::vector<float> gradients_;
  Shards shards_;
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_, last_told_;
  double fraction_at_start_ = 0;
};

}  // namespace fovea::learning

#pragma once
/// Shards of a batch, side by side. Internal to core/learning.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "fovea/core/learning/tape.hpp"
#include "fovea/core/learning/training/batches.hpp"

namespace fovea::learning {

/// Tapes and gradients that every batch uses again.
class Shards {
 public:
  using Loss = std::function<Variable<float>(Tape<float>&, std::span<const Index> examples, float total)>;

  /// Calls work(tape, shard) for each shard on the threads there are, each thread with a tape of its own. The error of
  /// the first shard that threw is thrown again, once all are done.
  void run(Index count, const std::function<void(Tape<float>&, Index)>& work);

  /// The loss of a batch; gradients (as long as the parameters) are overwritten with its gradient.
  /// pass: each shard gets step = pass.step * 2^20 + shard, so its own dropout masks.
  double learn(const Parameters<float>& parameters, const Batch& batch, const Loss& loss, double total,
               const Pass& pass, std::span<float> gradients);

  /// The loss of a batch.
  double measure(const Parameters<float>& parameters, const Batch& batch, const Loss& loss, double total);

 private:
  double summed_losses(Index count) const;
  void sum_gradients(Index count, std::span<float> sum) const;

  std::vector<std::unique_ptr<Tape<float>>> tapes_;  ///< of each thread
  std::vector<std::vector<float>> gradients_;        ///< of each shard
  std::vector<double> losses_;                       ///< of each shard
};

}  // namespace fovea::learning

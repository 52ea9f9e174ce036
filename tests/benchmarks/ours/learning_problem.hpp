#pragma once
/// The training problem of the benchmark: a Transformer that classifies packed sets.

#include <memory>

#include "fovea/core/learning/layers/transformer_block.hpp"
#include "fovea/core/learning/training/batches.hpp"
#include "fovea/core/learning/training/optimizer.hpp"
#include "fovea/core/learning/training/training_shards.hpp"
#include "fovea/tests/benchmarks/ours/request.hpp"
#include "fovea/tests/benchmarks/ours/work.hpp"

namespace fovea::bench {

/// Fields of a request, with what they are when missing:
///   sets= batch_sets=64    sets, sizes drawn or from the file data= (set_sizes.hpp), and how many a step takes
///   smallest=16 largest=128    sizes that are taken from the file
///   features=5 width=64 heads=4 hidden=256 blocks=2
/// Tokens (standard normal) -> linear -> blocks (norm first, GELU, no dropout) -> norm -> mean of the set -> logit;
/// logistic loss of random labels, AdamW (rate 1e-3). A pass is an epoch; the answer is the losses of the first three
/// steps, which hold forward, backward and step.
class LearningProblem : public Work {
 public:
  explicit LearningProblem(const Request& request);
  void run() override;
  std::vector<float> answer() const override { return first_losses_; }
  void write(const std::string& folder) const override;
  Index rows() const override { return offsets_.back(); }
  double pairs() const override;
  double largest_error() const override;

 private:
  learning::Variable<float> loss(learning::Tape<float>& tape, std::span<const Index> sets, float total) const;
  double step(const learning::Batch& batch);

  std::vector<Index> offsets_;
  Matrix<float> features_, labels_;
  Index heads_;
  learning::Parameters<float> parameters_;
  std::vector<float> start_;  ///< of the parameters, for the other programs
  std::unique_ptr<learning::Linear<float>> embedding_, head_;
  std::vector<learning::TransformerBlock<float>> blocks_;
  std::unique_ptr<learning::Norm<float>> norm_;
  std::vector<learning::Batch> batches_;
  learning::Shards shards_;
  std::vector<float> gradients_, first_losses_;
  std::unique_ptr<learning::Optimizer<float>> optimizer_;
};

}  // namespace fovea::bench

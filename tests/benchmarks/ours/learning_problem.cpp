#include "fovea/tests/benchmarks/ours/learning_problem.hpp"

#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/tests/benchmarks/ours/numbers.hpp"
#include "fovea/tests/benchmarks/ours/set_sizes.hpp"

namespace fovea::bench {

namespace {

constexpr double kRate = 1e-3;
constexpr std::size_t kLossesCompared = 3;

Matrix<float> normal_numbers(const Random& random, Index rows, Index columns) {
  Matrix<float> numbers(rows, columns);
  for (Index k = 0; k < numbers.size(); ++k)
    numbers.data()[k] = static_cast<float>(random.normal(static_cast<std::uint64_t>(k)));
  return numbers;
}

/// The tokens of some sets, one after the other.
struct ShardOfSets {
  learning::Tokens tokens;
  Matrix<float> features, labels;
};

}  // namespace

LearningProblem::LearningProblem(const Request& request)
    : offsets_(set_offsets(request.count("sets"), request.text("data", ""),
                           {request.count("smallest", 16), request.count("largest", 128)})),
      heads_(request.count("heads", 4)) {
  const Random random(1);
  const Index sets = static_cast<Index>(offsets_.size()) - 1, width = request.count("width", 64);
  features_ = normal_numbers(random.stream("features"), offsets_.back(), request.count("features", 5));
  labels_.resize(sets, 1);
  for (Index b = 0; b < sets; ++b)
    labels_(b, 0) = static_cast<float>(random.stream("labels").below(2, static_cast<std::uint64_t>(b)));

  embedding_ = std::make_unique<learning::Linear<float>>(parameters_, "embedding", features_.cols(), width, random);
  learning::BlockSettings<float> block;
  block.attention.width = width;
  block.attention.heads = heads_;
  block.hidden = request.count("hidden", 256);
  for (Index b = 0; b < request.count("blocks", 2); ++b)
    blocks_.emplace_back(parameters_, concat("block.", b), block, random);
  norm_ = std::make_unique<learning::Norm<float>>(parameters_, "norm", width);
  head_ = std::make_unique<learning::Linear<float>>(parameters_, "head", width, 1, random);
  start_.assign(parameters_.values().begin(), parameters_.values().end());
  gradients_.resize(start_.size());
  optimizer_ = std::make_unique<learning::Optimizer<float>>(learning::AdamW{}, parameters_.size());

  const Index batch_sets = request.count("batch_sets", 64);
  for (Index first = 0; first < sets; first += batch_sets) {  // as many sets a step as the other programs take
    std::vector<Index> examples(std::min(batch_sets, sets - first)), sizes;
    std::iota(examples.begin(), examples.end(), first);
    for (Index b = 0; b < sets; ++b) sizes.push_back(offsets_[b + 1] - offsets_[b]);
    const learning::BatchSettings whole{offsets_.back(), 1024, false, 0};
    batches_.push_back(learning::make_batches(examples, sizes, whole, random, 0).front());
  }
}

learning::Variable<float> LearningProblem::loss(learning::Tape<float>& tape, std::span<const Index> sets,
                                                float total) const {
  auto& shard = tape.kept<ShardOfSets>();
  shard.tokens.offsets.assign(1, 0);
  for (const Index b : sets)
    shard.tokens.offsets.push_back(shard.tokens.offsets.back() + offsets_[b + 1] - offsets_[b]);
  shard.features.resize(shard.tokens.count(), features_.cols());
  shard.labels.resize(shard.tokens.sets(), 1);
  for (std::size_t k = 0; k < sets.size(); ++k) {
    const Index first = shard.tokens.offsets[k], size = shard.tokens.offsets[k + 1] - first;
    shard.features.middleRows(first, size) = features_.middleRows(offsets_[sets[k]], size);
    shard.labels(static_cast<Index>(k), 0) = labels_(sets[k], 0);
  }
  learning::Variable<float> h = (*embedding_)(tape.input(shard.features));
  for (const auto& block : blocks_) h = block(h, shard.tokens);
  const learning::Variable<float> pooled = learning::mean_of_sets((*norm_)(h), learning::Offsets(shard.tokens.offsets));
  return learning::logistic_loss<float>((*head_)(pooled), shard.labels, {}, total);
}

double LearningProblem::step(const learning::Batch& batch) {
  const double mean = shards_.learn(
      parameters_, batch,
      [this](learning::Tape<float>& tape, std::span<const Index> sets, float total) { return loss(tape, sets, total); },
      static_cast<double>(batch.examples.size()), {}, gradients_);
  optimizer_->step(parameters_, gradients_, kRate);
  return mean;
}

void LearningProblem::run() {
  for (const learning::Batch& batch : batches_) {
    const double mean = step(batch);
    if (first_losses_.size() < kLossesCompared) first_losses_.push_back(static_cast<float>(mean));
  }
}

void LearningProblem::write(const std::string& folder) const {
  write_numbers(concat(folder, "/features"), features_.data(), features_.size());
  write_numbers(concat(folder, "/labels"), labels_.data(), labels_.size());
  write_numbers(concat(folder, "/parameters"), start_.data(), static_cast<Index>(start_.size()));
  write_numbers(concat(folder, "/offsets"), offsets_.data(), static_cast<Index>(offsets_.size()));
}

double LearningProblem::pairs() const {
  double pairs = 0;
  for (std::size_t b = 0; b + 1 < offsets_.size(); ++b) {
    const double size = static_cast<double>(offsets_[b + 1] - offsets_[b]);
    pairs += static_cast<double>(heads_) * size * size;
  }
  return pairs;
}

double LearningProblem::largest_error() const {
  throw ArgumentError("request: a training is not compared with double precision.");
}

}  // namespace fovea::bench

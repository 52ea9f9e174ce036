#include "fovea/core/learning/training/training_shards.hpp"

#include <omp.h>

#include <algorithm>
#include <exception>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/kernels/learning_kernels.hpp"

namespace fovea::learning {

namespace {

constexpr std::uint64_t kStepsApart = std::uint64_t{1} << 20;  // more than a batch has shards

double loss_value(const Variable<float>& loss) {
  require(loss.size() == 1, "train: the loss is ", loss.rows(), " x ", loss.columns(), ", but must be one number.");
  return static_cast<double>(loss.data()[0]);
}

}  // namespace

void Shards::run(Index count, const std::function<void(Tape<float>&, Index)>& work) {
  const auto threads = static_cast<int>(std::clamp<Index>(count, 1, omp_get_max_threads()));
  while (std::ssize(tapes_) < threads) tapes_.push_back(std::make_unique<Tape<float>>());
  std::vector<std::exception_ptr> errors(count);
// With one shard there is no parallel region, and products inside may use the threads.
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
  for (Index shard = 0; shard < count; ++shard) {
    try {
      work(*tapes_[omp_get_thread_num()], shard);
    } catch (...) {
      errors[shard] = std::current_exception();
    }
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

double Shards::learn(const Parameters<float>& parameters, const Batch& batch, const Loss& loss, double total,
                     const Pass& pass, std::span<float> gradients) {
  const std::size_t count = batch.shards();
  if (gradients_.size() < count) gradients_.resize(count);
  losses_.resize(count);
  run(batch.shards(), [&](Tape<float>& tape, Index shard) {
    const std::size_t s = shard;
    gradients_[s].assign(gradients.size(), 0.0f);
    tape.begin(&parameters, gradients_[s],
               {true, pass.random, pass.step * kStepsApart + static_cast<std::uint64_t>(shard)});
    const Variable<float> result = loss(tape, batch.shard(shard), static_cast<float>(total));
    losses_[s] = loss_value(result);
    tape.backward(result);
  });
  sum_gradients(batch.shards(), gradients);
  return summed_losses(batch.shards());
}

double Shards::measure(const Parameters<float>& parameters, const Batch& batch, const Loss& loss, double total) {
  losses_.resize(batch.shards());
  run(batch.shards(), [&](Tape<float>& tape, Index shard) {
    tape.begin(&parameters, {});
    losses_[shard] = loss_value(loss(tape, batch.shard(shard), static_cast<float>(total)));
  });
  return summed_losses(batch.shards());
}

double Shards::summed_losses(Index count) const {
  double sum = 0;
  for (Index s = 0; s < count; ++s) sum += losses_[s];
  return sum;
}

void Shards::sum_gradients(Index count, std::span<float> sum) const {
  constexpr Index kBlock = 4096;  // stays in the first cache while the shards are added to it
  const auto size = static_cast<Index>(sum.size());
  const auto add_scaled = learning_kernels<float>().add_scaled;
#pragma omp parallel for schedule(static)
  for (Index begin = 0; begin < size; begin += kBlock)
    for (Index s = 0; s < count; ++s)
      add_scaled(gradients_[s].data() + begin, 1.0f, std::min(kBlock, size - begin), s > 0, sum.data() + begin);
}

}  // namespace fovea::learning

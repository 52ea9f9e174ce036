#include "fovea/core/learning/training/batches.hpp"

#include <algorithm>
#include <limits>

#include "fovea/core/base/error.hpp"

namespace fovea::learning {

namespace {

using ExampleTokens = std::span<const Index>;

Index counted_tokens(ExampleTokens tokens, Index example) { return std::max<Index>(1, tokens[example]); }

/// Durstenfeld's shuffle (1964), each exchange from a counter of its own.
template <typename Item>
void shuffle(std::vector<Item>& items, const Random& random, std::uint64_t epoch) {
  for (std::size_t k = items.size(); k > 1; --k) {
    const std::uint64_t other = random.below(k, k, epoch);
    std::swap(items[k - 1], items[other]);
  }
}

/// What a piece of a list may have.
struct Budget {
  Index tokens, examples;
};
constexpr Index kNoLimit = std::numeric_limits<Index>::max();

Budget batch_budget(const BatchSettings& settings) {
  return settings.examples > 0 ? Budget{kNoLimit, settings.examples} : Budget{settings.tokens, kNoLimit};
}
Budget shard_budget(const BatchSettings& settings) {
  constexpr Index kShards = 4;
  if (settings.whole) return {kNoLimit, kNoLimit};
  return {settings.shard_tokens, settings.examples > 0 ? (settings.examples + kShards - 1) / kShards : kNoLimit};
}

/// Where to cut a list so that no piece has more than the budget, unless it is a single example.
std::vector<Index> cut(std::span<const Index> examples, ExampleTokens tokens, Budget budget) {
  std::vector<Index> offsets{0};
  Index filled = 0;
  for (std::size_t k = 0; k < examples.size(); ++k) {
    const Index size = counted_tokens(tokens, examples[k]);
    const bool full = size > budget.tokens - filled || static_cast<Index>(k) - offsets.back() == budget.examples;
    if (filled > 0 && full) {
      offsets.push_back(static_cast<Index>(k));
      filled = 0;
    }
    filled += size;
  }
  if (!examples.empty()) offsets.push_back(static_cast<Index>(examples.size()));
  return offsets;
}

void sort_buckets(std::vector<Index>& examples, ExampleTokens tokens, Index bucket) {
  for (std::size_t begin = 0; begin < examples.size(); begin += bucket) {
    const std::size_t end = std::min(examples.size(), begin + bucket);
    std::stable_sort(examples.begin() + static_cast<Index>(begin), examples.begin() + static_cast<Index>(end),
                     [&](Index a, Index b) { return counted_tokens(tokens, a) < counted_tokens(tokens, b); });
  }
}

void check_examples(std::span<const Index> examples, ExampleTokens tokens) {
  const auto count = static_cast<Index>(tokens.size());
  for (const Index example : examples) {
    require(example >= 0 && example < count, "batches: there is no example ", example, "; there are ", count,
            ", counted from 0.");
    const Index size = tokens[example];
    require(size >= 0, "batches: example ", example, " has ", size, " tokens, but must have >= 0.");
  }
}

void check_batches(const BatchSettings& settings) {
  require(settings.tokens >= 1, "batches: tokens = ", settings.tokens, ", but a batch has at least 1.");
  require(settings.shard_tokens >= 1, "batches: shard_tokens = ", settings.shard_tokens, ", but must be >= 1.");
  require(settings.bucket >= 0, "batches: bucket = ", settings.bucket, ", but must be >= 0.");
  require(settings.examples >= 0, "batches: examples = ", settings.examples, ", but must be >= 0.");
}

}  // namespace

std::span<const Index> Batch::shard(Index s) const {
  const std::size_t begin = offsets[s];
  const std::size_t end = offsets[s + 1];
  return std::span(examples).subspan(begin, end - begin);
}

std::vector<Batch> make_batches(std::span<const Index> examples, std::span<const Index> tokens,
                                const BatchSettings& settings, const Random& random, std::uint64_t epoch) {
  check_batches(settings);
  check_examples(examples, tokens);
  std::vector<Index> order(examples.begin(), examples.end());
  if (settings.shuffle) shuffle(order, random.stream("examples"), epoch);
  if (settings.bucket > 0) sort_buckets(order, tokens, settings.bucket);
  std::vector<Batch> batches;
  const std::vector<Index> offsets = cut(order, tokens, batch_budget(settings));
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    Batch batch{{order.begin() + offsets[b], order.begin() + offsets[b + 1]}, {}};
    batch.offsets = cut(batch.examples, tokens, shard_budget(settings));
    batches.push_back(std::move(batch));
  }
  if (settings.shuffle && settings.bucket > 0) shuffle(batches, random.stream("batches"), epoch);
  return batches;
}

}  // namespace fovea::learning

#pragma once
/// Mini-batches of packed sets, by a budget of tokens or of sets.

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::learning {

struct BatchSettings {
  Index tokens = 4096;        ///< of a batch at most, >= 1; a larger set stands alone
  Index shard_tokens = 1024;  ///< of a shard at most, >= 1; shards of a batch are computed side by side
  bool shuffle = true;        ///< in each epoch anew
  Index bucket = 0;           ///< 0, or how many shuffled examples are sorted by size before they are cut into batches:
                              ///< sets of a batch then are alike in size, and the batches are shuffled
  Index examples = 0;  ///< 0, or how many examples a batch has, whatever their size, in place of `tokens`; shards then
                       ///< have a quarter of them at most, too
  bool whole = false;  ///< each batch is one shard: for losses that compare all its examples
};

/// Some examples, in shards: shard s has examples [offsets[s], offsets[s + 1]).
struct Batch {
  std::vector<Index> examples;
  std::vector<Index> offsets;
  Index shards() const { return static_cast<Index>(offsets.size()) - 1; }
  std::span<const Index> shard(Index s) const;
};

/// The batches of one epoch: every example once, in the order of the list unless shuffled. A function of its arguments
/// alone, so a run that goes on in the middle of an epoch finds the same batches.
/// examples  numbers of the examples, in [0, tokens.size())
/// tokens    of every example there is, >= 0; an empty set counts as one token
/// Throws ArgumentError for a number or a setting out of range.
std::vector<Batch> make_batches(std::span<const Index> examples, std::span<const Index> tokens,
                                const BatchSettings& settings, const Random& random, std::uint64_t epoch);

}  // namespace fovea::learning

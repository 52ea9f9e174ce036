#pragma once
/// Small sets, the other way round: scores stand key by key, with the queries side by side in the registers. Their
/// modifiers, if any, are such as work by keys; neighbour lists become masks. Keys and values are read where they
/// stand, and no row needs a maximum or a sum across a register; every result has the bits of the walk over tiles.
/// Internal to core/attention.

#include "fovea/core/attention/engine/walk.hpp"

namespace fovea {

inline constexpr Index kSmallBlockQueries = 64;  ///< queries of a task of a small set: whole groups

/// The sets of a call that go this way: those of one tile of keys, where rows are narrow and the softmax is plain.
template <typename Real>
class SmallSets {
 public:
  SmallSets(const Problem<Real>& problem, Index value_columns);
  bool has(Index set) const;

 private:
  const Problem<Real>& problem_;
  bool plain_;
};

/// One block of queries of such a set.
template <typename Real>
void small_set_block(const PackedKeys<Real>& packed, const RowBlock& block, AttentionResult<Real>& result);

}  // namespace fovea

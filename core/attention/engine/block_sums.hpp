#pragma once
/// What a block of queries collects from its tiles. Internal to core/attention.

#include "fovea/core/attention/engine/problem.hpp"
#include "fovea/core/base/memory.hpp"

namespace fovea {

/// Kept by its thread. With few columns of values their sums are lanes too.
template <typename Real>
struct BlockSums {
  AlignedVector<Real> outputs;  ///< whole_lanes(dv) for each query: sum_j exp(s_j - maximum) v_j
  AlignedVector<Real> lanes;    ///< kLanes for each query: their sum is sum_j exp(s_j - maximum)
  AlignedVector<Real> maximum;

  /// This thread's, for that many queries, with nothing in them yet.
  static BlockSums& cleared(Index queries, Index value_columns);
  /// From the sums to the weighted means; 0 where all keys are masked. columns: of the values.
  void finish(const RowBlock& block, Index columns, AttentionResult<Real>& result) const;
};

}  // namespace fovea

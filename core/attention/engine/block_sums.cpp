#include "fovea/core/attention/engine/block_sums.hpp"

#include "fovea/core/kernels/kernels.hpp"

namespace fovea {

template <typename Real>
BlockSums<Real>& BlockSums<Real>::cleared(Index queries, Index value_columns) {
  static thread_local BlockSums sums;
  zeros(sums.outputs, queries * whole_lanes<Real>(value_columns));
  zeros(sums.lanes, queries * kLanes<Real> * (value_columns <= kFewColumns ? 1 + value_columns : 1));
  sums.maximum.assign(queries, kMasked<Real>);
  return sums;
}

template <typename Real>
void BlockSums<Real>::finish(const RowBlock& block, Index columns, AttentionResult<Real>& result) const {
  static thread_local AlignedVector<Real> memory;
  Real* logs = room(memory, block.count);
  for (Index i = 0; i < block.count; ++i) {
    const Real sum = sum_of_lanes(lanes.data() + i * kLanes<Real>);
    result.max_score(block.first + i, block.head) = maximum[i];
    result.sum_exp(block.first + i, block.head) = sum;
    logs[i] = sum == Real(0) ? Real(1) : sum;
    Real* output = result.outputs.data() + (block.first + i) * result.outputs.cols() + block.head * columns;
    kernels<Real>().blocks.divide(outputs.data() + i * whole_lanes<Real>(columns), columns, logs[i], output);
  }
  kernels<Real>().logarithms(logs, block.count);
  for (Index i = 0; i < block.count; ++i) result.log_sum_exp(block.first + i, block.head) = logs[i] + maximum[i];
}

template struct BlockSums<float>;
template struct BlockSums<double>;

}  // namespace fovea

#include "fovea/core/attention/attend.hpp"

#include "fovea/core/attention/engine/parallel.hpp"
#include "fovea/core/attention/engine/whole_rows.hpp"
#include "fovea/core/attention/kernels/kernels.hpp"

namespace fovea {
namespace {

/// What a block of queries collects, kept by its thread.
template <typename Real>
struct BlockSums {
  AlignedVector<Real> outputs;  ///< whole_lanes(dv) for each query: sum_j exp(s_j - maximum) v_j
  AlignedVector<Real> lanes;    ///< kLanes for each query: their sum is sum_j exp(s_j - maximum)
  AlignedVector<Real> maximum;
  static BlockSums& cleared(Index queries, Index value_columns) {
    static thread_local BlockSums sums;
    zeros(sums.outputs, queries * whole_lanes<Real>(value_columns));
    zeros(sums.lanes, queries * kLanes<Real>);
    sums.maximum.assign(static_cast<std::size_t>(queries), kMasked<Real>);
    return sums;
  }
};

/// From the sums to the weighted means; 0 where all keys are masked.
template <typename Real>
void finish_block(const RowBlock& block, Index columns, const BlockSums<Real>& sums, AttentionResult<Real>& result) {
  Real logs[kBlockQueries];
  for (Index i = 0; i < block.count; ++i) {
    const Real sum = sum_of_lanes(sums.lanes.data() + i * kLanes<Real>);
    result.max_score(block.first + i, block.head) = sums.maximum[static_cast<std::size_t>(i)];
    result.sum_exp(block.first + i, block.head) = sum;
    logs[i] = sum == Real(0) ? Real(1) : sum;
    Real* output = result.outputs.data() + (block.first + i) * result.outputs.cols() + block.head * columns;
    kernels<Real>().blocks.divide(sums.outputs.data() + i * whole_lanes<Real>(columns), columns, logs[i], output);
  }
  kernels<Real>().logarithms(logs, block.count);
  for (Index i = 0; i < block.count; ++i)
    result.log_sum_exp(block.first + i, block.head) = logs[i] + sums.maximum[static_cast<std::size_t>(i)];
}

template <typename Real>
void softmax_block(const PackedKeys<Real>& packed, const RowBlock& block, AttentionResult<Real>& result) {
  const Index columns = packed.value_columns(), width = whole_lanes<Real>(columns);
  BlockSums<Real>& sums = BlockSums<Real>::cleared(block.count, columns);
  for_each_tile(packed, block, [&](const ScoredTile<Real>& tile) {
    const Index row = tile.scores.first_query - block.first;
    Real kept[kTileQueries];
    kernels<Real>().blocks.softmax(tile.scores.query_count, tile.scores.key_count, tile.scores.scores,
                                   tile.scores.stride, sums.maximum.data() + row,
                                   sums.lanes.data() + row * kLanes<Real>, kept);
    add_values(tile.scores, tile.values, columns, kept, sums.outputs.data() + row * width);
  });
  finish_block(block, columns, sums, result);
}

}  // namespace

template <typename Real>
AttentionResult<Real> attend(const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                             const MatrixInput<Real>& values, const AttentionSpec<Real>& spec) {
  const Problem<Real> problem("attend", queries, keys, values, spec);
  const PackedKeys<Real> packed(problem, &values);
  AttentionResult<Real> result;
  result.outputs.resize(queries.rows(), spec.heads * packed.value_columns());
  result.log_sum_exp.resize(queries.rows(), spec.heads);
  result.max_score.resize(queries.rows(), spec.heads);
  result.sum_exp.resize(queries.rows(), spec.heads);
  if (spec.normalizer) {
    result.outputs.setZero();
    result.threshold.setZero(queries.rows(), spec.heads);
    result.slope_means.setZero(queries.rows(), result.outputs.cols());
  }
  const std::vector<RowBlock> blocks = problem.query_blocks();
  for_each_task(static_cast<Index>(blocks.size()), problem.worth_threads(), [&](Index b) {
    const RowBlock& block = blocks[static_cast<std::size_t>(b)];
    if (spec.normalizer)
      whole_row_block<Real>(packed, values, block, result);
    else
      softmax_block<Real>(packed, block, result);
  });
  return result;
}

template AttentionResult<float> attend(const MatrixInput<float>&, const MatrixInput<float>&, const MatrixInput<float>&,
                                       const AttentionSpec<float>&);
template AttentionResult<double> attend(const MatrixInput<double>&, const MatrixInput<double>&,
                                        const MatrixInput<double>&, const AttentionSpec<double>&);

}  // namespace fovea

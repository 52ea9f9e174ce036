#include "fovea/core/attention/attend.hpp"

#include "fovea/core/attention/engine/parallel.hpp"
#include "fovea/core/attention/engine/whole_rows.hpp"
#include "fovea/core/attention/kernels/exponential.hpp"
#include "fovea/core/attention/kernels/kernels.hpp"

namespace fovea {
namespace {

/// What a block of queries collects, kept by its thread. With few columns of values their sums are lanes too.
template <typename Real>
struct BlockSums {
  AlignedVector<Real> outputs;  ///< whole_lanes(dv) for each query: sum_j exp(s_j - maximum) v_j
  AlignedVector<Real> lanes;    ///< kLanes for each query: their sum is sum_j exp(s_j - maximum)
  AlignedVector<Real> maximum;
  static BlockSums& cleared(Index queries, Index value_columns) {
    static thread_local BlockSums sums;
    zeros(sums.outputs, queries * whole_lanes<Real>(value_columns));
    zeros(sums.lanes, queries * kLanes<Real> * (value_columns <= kFewColumns ? 1 + value_columns : 1));
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

/// Each key that was left out weighs at most exp(threshold) of the row's sum.
template <typename Real>
void write_skips(const RowSkips<Real>& row, Index query, Index head, AttentionResult<Real>& result) {
  result.skip_threshold(query, head) = row.threshold;
  result.skipped(query, head) =
      row.keys == 0 || row.threshold == kMasked<Real>
          ? Real(0)
          : static_cast<Real>(row.keys) * exponential(row.threshold - result.log_sum_exp(query, head));
}

/// Softmax of a tile, and its weighted values.
template <typename Real>
void add_tile(const ScoredTile<Real>& tile, Index row, Index columns, BlockSums<Real>& sums) {
  const BlockKernels<Real>& kernel = kernels<Real>().blocks;
  const ScoreTile<Real>& s = tile.scores;
  Real* maximum = sums.maximum.data() + row;
  if (0 < columns && columns <= kFewColumns) {
    kernel.softmax_dots(s.query_count, columns, s.key_count, s.scores, s.stride, tile.values, maximum,
                        sums.lanes.data() + row * (1 + columns) * kLanes<Real>);
    return;
  }
  Real kept[kTileQueries];
  kernel.softmax(s.query_count, s.key_count, s.scores, s.stride, maximum, sums.lanes.data() + row * kLanes<Real>, kept);
  add_values(s, tile.values, columns, kept, sums.outputs.data() + row * whole_lanes<Real>(columns));
}

/// Adds up the lanes of few columns: the sums stand where those of many columns do.
template <typename Real>
void add_up_lanes(Index queries, Index columns, BlockSums<Real>& sums) {
  if (columns == 0 || columns > kFewColumns) return;
  for (Index i = 0; i < queries; ++i) {
    const Real* lanes = sums.lanes.data() + i * (1 + columns) * kLanes<Real>;
    for (Index c = 0; c < columns; ++c)
      sums.outputs[static_cast<std::size_t>(i * whole_lanes<Real>(columns) + c)] =
          sum_of_lanes(lanes + (1 + c) * kLanes<Real>);
    std::copy_n(lanes, kLanes<Real>, sums.lanes.data() + i * kLanes<Real>);
  }
}

template <typename Real>
void softmax_block(const PackedKeys<Real>& packed, const RowBlock& block, AttentionResult<Real>& result) {
  const Index columns = packed.value_columns();
  BlockSums<Real>& sums = BlockSums<Real>::cleared(block.count, columns);
  for_each_tile(packed, block, [&](const ScoredTile<Real>& tile) {
    add_tile(tile, tile.scores.first_query - block.first, columns, sums);
  });
  add_up_lanes(block.count, columns, sums);
  finish_block(block, columns, sums, result);
  const std::vector<RowSkips<Real>>& skips = row_skips<Real>();
  for (Index i = 0; i < static_cast<Index>(skips.size()); ++i)
    write_skips(skips[static_cast<std::size_t>(i)], block.first + i, block.head, result);
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
  if (problem.skips()) {
    result.skipped.resize(queries.rows(), spec.heads);
    result.skip_threshold.resize(queries.rows(), spec.heads);
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

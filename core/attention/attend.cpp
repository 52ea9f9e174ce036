#include "fovea/core/attention/attend.hpp"

#include <algorithm>
#include <limits>

#include "fovea/core/attention/engine/block_sums.hpp"
#include "fovea/core/attention/engine/small_sets.hpp"
#include "fovea/core/attention/engine/whole_rows.hpp"
#include "fovea/core/attention/grid/grid_attention.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

/// Asks for the rows of a block of a small set, to be in the second cache when its turn comes. Inlined by force: what
/// does nothing but ask is a function without effect to g++, whose calls it drops.
template <typename Real>
__attribute__((always_inline)) inline void expect_block(const PackedKeys<Real>& packed, const RowBlock& block) {
  const Problem<Real>& problem = packed.problem();
  if (problem.lists() || !packed.is_small(block.set)) return;
  const MatrixView<Real> queries = problem.queries_of(block.head);
  expect_rows<Real>({queries.data(), queries.outerStride(), queries.cols(), block.first}, block.count);
  expect_rows(packed.keys_of(block.head, block.set), packed.size_of(block.set));
  expect_rows(packed.values_of(problem.key_head(block.head), block.set), packed.size_of(block.set));
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
  Real kept[ForwardTiles::kMostQueries];
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
      sums.outputs[i * whole_lanes<Real>(columns) + c] = sum_of_lanes(lanes + (1 + c) * kLanes<Real>);
    std::copy_n(lanes, kLanes<Real>, sums.lanes.data() + i * kLanes<Real>);
  }
}

/// Whether scores are -|q - k|^2 / 2 of points in few dimensions and nothing changes them.
template <typename Real>
bool are_plain_distances(const PackedKeys<Real>& packed) {
  const Problem<Real>& problem = packed.problem();
  const ScoreFunction<Real>& score = problem.score();
  return kernels<Real>().blocks.distance_dots && score.comparison() == Comparison::squared_distance &&
         score.factor(problem.dimension()) == Real(-0.5) && !score.finishes() && problem.spec().modifiers.empty() &&
         !problem.skips() && problem.prepared_columns() <= kFewTerms && 0 < packed.value_columns() &&
         packed.value_columns() <= kFewColumns;
}

/// Whether sums of exp(s) itself serve as they are: not where a number is not finite, or where all keys are so far away
/// that exp(s) tells them apart no more: keys farther than kernels tell apart would weigh more than 2^-64.
template <typename Real>
bool are_told_apart(const Real* lanes) {
  const Real sum = sum_of_lanes(lanes);
  return sum >= Real(0x1p-60) && sum <= std::numeric_limits<Real>::max();
}

/// Such a block, without scores in between, and so with more keys at a time: their sums go on from tile to tile. Rows
/// that this does not serve go the way of all other scores.
template <typename Real>
void add_distances(const PackedKeys<Real>& packed, const RowBlock& block, BlockSums<Real>& sums) {
  constexpr Index kTogether = 2 * kTileKeys;
  const Problem<Real>& problem = packed.problem();
  const Index end = problem.first_key(block.set + 1), columns = packed.value_columns();
  const Index numbers = (1 + columns) * kLanes<Real>;
  static thread_local AlignedVector<Real> memory;
  Real* distances = room(memory, kRowsOfDistances * kTogether);
  bool finite = true;
  const QueryRows<Real> queries(problem, block);
  for (Index key = problem.first_key(block.set); key < end; key += kTogether) {
    const TileRange range = problem.range(block, key, std::min(kTogether, end - key));
    const RightOperand<Real> keys = packed.keys(range, block.set), values = packed.values(range, block.set);
    finite = finite && kernels<Real>().blocks.distance_dots(block.count, columns, problem.prepared_columns(),
                                                            range.key_count, queries.from(block.first), keys, values,
                                                            distances, kTogether, sums.lanes.data());
  }
  const auto served = [&](Index row) {
    if (!finite || !are_told_apart(sums.lanes.data() + row * numbers)) return false;
    sums.maximum[row] = 0;  // no exponent is above it
    return true;
  };
  for (Index first = 0, last = 0; first < block.count; first = last + 1) {
    for (last = first; last < block.count && !served(last);) ++last;
    if (first == last) continue;
    std::fill_n(sums.lanes.data() + first * numbers, (last - first) * numbers, Real(0));
    for_each_tile(
        packed, {block.set, block.head, block.first + first, last - first},
        [&](const ScoredTile<Real>& tile) { add_tile(tile, tile.scores.first_query - block.first, columns, sums); });
  }
}

template <typename Real>
void softmax_block(const PackedKeys<Real>& packed, const RowBlock& block, AttentionResult<Real>& result) {
  const Index columns = packed.value_columns();
  BlockSums<Real>& sums = BlockSums<Real>::cleared(block.count, columns);
  if (are_plain_distances(packed))
    add_distances(packed, block, sums);
  else
    for_each_tile(packed, block, [&](const ScoredTile<Real>& tile) {
      add_tile(tile, tile.scores.first_query - block.first, columns, sums);
    });
  add_up_lanes(block.count, columns, sums);
  sums.finish(block, columns, result);
  if (!packed.skipping()) return;
  const std::vector<RowSkips<Real>>& skips = row_skips<Real>();
  for (Index i = 0; i < static_cast<Index>(skips.size()); ++i)
    write_skips(skips[i], block.first + i, block.head, result);
}

/// Every matrix in its size; those that this call does not give are empty.
template <typename Real>
void make_room(const Problem<Real>& problem, Index value_columns, AttentionResult<Real>& result) {
  const Index rows = problem.query_count(), heads = problem.spec().heads;
  const Index columns = heads * (value_columns / problem.key_heads());
  const Index whole = problem.spec().normalizer ? rows : 0, skipped = problem.skips() ? rows : 0;
  result.outputs.resize(rows, columns);
  for (Matrix<Real>* sums : {&result.log_sum_exp, &result.max_score, &result.sum_exp}) sums->resize(rows, heads);
  result.threshold.setZero(whole, whole ? heads : 0);
  result.slope_means.setZero(whole, whole ? columns : 0);
  if (whole) result.outputs.setZero();
  for (Matrix<Real>* skips : {&result.skipped, &result.skip_threshold}) skips->resize(skipped, skipped ? heads : 0);
}

}  // namespace

template <typename Real>
AttentionResult<Real> attend(const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                             const MatrixInput<Real>& values, const AttentionSpec<Real>& spec) {
  AttentionResult<Real> result;
  attend_into(result, queries, keys, values, spec);
  return result;
}

template <typename Real>
void attend_into(AttentionResult<Real>& result, const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                 const MatrixInput<Real>& values, const AttentionSpec<Real>& spec) {
  const Problem<Real> problem("attend", queries, keys, values, spec);
  make_room(problem, values.cols(), result);
  if (attend_grid<Real>(problem, values, result)) return;
  const PackedKeys<Real> packed(problem, &values);
  const SmallSets<Real> small_sets(problem, packed.value_columns());
  // where no scores want room, twice the rows read the keys half as often
  const Index task_queries =
      ForwardTiles::of(instruction_set(), problem.is_modified()).task_queries * (are_plain_distances(packed) ? 2 : 1);
  const std::vector<RowBlock> blocks =
      problem.query_blocks([&](Index set) { return small_sets.has(set) ? kSmallBlockQueries : task_queries; });
  const Index count = static_cast<Index>(blocks.size());
  const auto run = [&](Index b) {
    const RowBlock& block = blocks[b];
    if (b + spec.heads < count) expect_block(packed, blocks[b + spec.heads]);
    if (spec.normalizer)
      whole_row_block<Real>(packed, values, block, result);
    else if (small_sets.has(block.set))
      small_set_block<Real>(packed, block, result);
    else
      softmax_block<Real>(packed, block, result);
  };
  for_each_task(count, problem.worth_threads(), run, std::clamp<Index>(count / (128 * thread_count()), 1, 16));
}

#define FOVEA_ATTEND(Real)                                                                                            \
  template AttentionResult<Real> attend(const MatrixInput<Real>&, const MatrixInput<Real>&, const MatrixInput<Real>&, \
                                        const AttentionSpec<Real>&);                                                  \
  template void attend_into(AttentionResult<Real>&, const MatrixInput<Real>&, const MatrixInput<Real>&,               \
                            const MatrixInput<Real>&, const AttentionSpec<Real>&);
FOVEA_ATTEND(float)
FOVEA_ATTEND(double)

}  // namespace fovea

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/engine/parallel.hpp"
#include "fovea/core/attention/engine/walk.hpp"
#include "fovea/core/attention/kernels/kernels.hpp"
#include "fovea/core/error.hpp"

namespace fovea {
namespace {

/// Turns row i of a tile of scores into weights.
template <typename Real>
void weigh(const Problem<Real>& problem, const AttentionResult<Real>& forward, Index head, const ScoreTile<Real>& tile,
           Index i) {
  const Index query = tile.query(i);
  const std::span<Real> row(tile.row(i), static_cast<std::size_t>(tile.key_count));
  const Real maximum = forward.max_score(query, head), sum = forward.sum_exp(query, head);
  if (!problem.spec().normalizer) {
    const Real inverse = sum == Real(0) ? Real(0) : Real(1) / sum;
    kernels<Real>().blocks.weights(1, tile.key_count, row.data(), 0, &maximum, &inverse);
    return;
  }
  if (maximum == kMasked<Real>) {
    std::fill(row.begin(), row.end(), Real(0));
    return;
  }
  const NeighbourLists* lists = problem.lists();
  const Index place = lists ? tile.key_list - lists->keys.data() - lists->offsets[static_cast<std::size_t>(query)]
                            : tile.key_position(0);
  problem.spec().normalizer->weigh(row, place, {maximum, sum, forward.threshold(query, head)}, row.data(), nullptr);
}

/// Calls visit(tile) for the tiles of a block, holding weights instead of scores.
template <typename Real, typename Visit>
void for_each_weight_tile(const PackedKeys<Real>& packed, const AttentionResult<Real>& forward, const RowBlock& block,
                          const Visit& visit) {
  const Problem<Real>& problem = packed.problem();
  for_each_tile(packed, block, [&](const ScoredTile<Real>& scored) {
    const ScoreTile<Real>& tile = scored.scores;
    for (Index i = 0; i < tile.query_count; ++i) weigh(problem, forward, block.head, tile, i);
    visit(tile);
  });
}

void check_groups(std::string_view name, const std::vector<Index>& group, Index groups, Index rows) {
  require(static_cast<Index>(group.size()) == rows, "attention_between_groups: ", name, "_group has ", group.size(),
          " entries, but there are ", rows, " ", name, " rows; each needs its group.");
  for (std::size_t i = 0; i < group.size(); ++i)
    require(0 <= group[i] && group[i] < groups, "attention_between_groups: ", name, "_group[", i, "] is ", group[i],
            ", but must be from 0 to ", groups - 1, ".");
}

template <typename Real>
void check_head(std::string_view who, Index head, const AttentionSpec<Real>& spec) {
  require(0 <= head && head < spec.heads, who, ": head = ", head, ", but must be from 0 to ", spec.heads - 1, ".");
}

}  // namespace

template <typename Real>
Matrix<Real> attention_weights(const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                               const AttentionSpec<Real>& spec, const AttentionResult<Real>& forward, Index head,
                               const std::vector<Index>& rows) {
  const Problem<Real> problem("attention_weights", queries, keys, spec);
  problem.check_forward("attention_weights", forward);
  check_head("attention_weights", head, spec);
  for (const Index row : rows)
    require(0 <= row && row < queries.rows(), "attention_weights: row ", row, " is asked for, but there are ",
            queries.rows(), " queries.");
  const PackedKeys<Real> packed(problem, nullptr);
  Matrix<Real> weights = Matrix<Real>::Zero(static_cast<Index>(rows.size()), keys.rows());
  for_each_task(weights.rows(), problem.worth_threads(), [&](Index r) {
    const Index query = rows[static_cast<std::size_t>(r)];
    const RowBlock block{problem.set_of_query(query), head, query, 1};
    for_each_weight_tile(packed, forward, block, [&](const ScoreTile<Real>& tile) {
      for (Index j = 0; j < tile.key_count; ++j) weights(r, tile.key(j)) = tile.row(0)[j];
    });
  });
  return weights;
}

template <typename Real>
Matrix<Real> attention_between_groups(const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                                      const AttentionSpec<Real>& spec, const AttentionResult<Real>& forward, Index head,
                                      const std::vector<Index>& query_group, Index query_groups,
                                      const std::vector<Index>& key_group, Index key_groups) {
  const Problem<Real> problem("attention_between_groups", queries, keys, spec);
  problem.check_forward("attention_between_groups", forward);
  check_head("attention_between_groups", head, spec);
  check_groups("query", query_group, query_groups, queries.rows());
  check_groups("key", key_group, key_groups, keys.rows());

  const PackedKeys<Real> packed(problem, nullptr);
  std::vector<RowBlock> blocks;
  for (const RowBlock& block : problem.query_blocks())
    if (block.head == head) blocks.push_back(block);
  // A wave of blocks at a time: each row has its own sums, which are then added in the order of rows.
  constexpr Index kWave = 16;
  Matrix<Real> sums(kWave * kBlockQueries, key_groups);
  Matrix<Real> total = Matrix<Real>::Zero(query_groups, key_groups);
  const Index block_count = static_cast<Index>(blocks.size());
  for (Index first = 0; first < block_count; first += kWave) {
    const Index wave = std::min(kWave, block_count - first);
    sums.setZero();
    for_each_task(wave, problem.worth_threads(), [&](Index b) {
      const RowBlock& block = blocks[static_cast<std::size_t>(first + b)];
      for_each_weight_tile(packed, forward, block, [&](const ScoreTile<Real>& tile) {
        for (Index i = 0; i < tile.query_count; ++i) {
          Real* row = sums.row(b * kBlockQueries + tile.query(i) - block.first).data();
          for (Index j = 0; j < tile.key_count; ++j)
            row[key_group[static_cast<std::size_t>(tile.key(j))]] += tile.row(i)[j];
        }
      });
    });
    for (Index b = 0; b < wave; ++b)
      for (Index i = 0; i < blocks[static_cast<std::size_t>(first + b)].count; ++i) {
        const Index query = blocks[static_cast<std::size_t>(first + b)].first + i;
        total.row(query_group[static_cast<std::size_t>(query)]) += sums.row(b * kBlockQueries + i);
      }
  }
  std::vector<Index> members(static_cast<std::size_t>(query_groups), 0);
  for (const Index group : query_group) ++members[static_cast<std::size_t>(group)];
  for (Index a = 0; a < query_groups; ++a)
    if (const Index count = members[static_cast<std::size_t>(a)]; count > 0) total.row(a) /= static_cast<Real>(count);
  return total;
}

#define FOVEA_WEIGHTS(Real)                                                                                       \
  template Matrix<Real> attention_weights(const MatrixInput<Real>&, const MatrixInput<Real>&,                     \
                                          const AttentionSpec<Real>&, const AttentionResult<Real>&, Index,        \
                                          const std::vector<Index>&);                                             \
  template Matrix<Real> attention_between_groups(const MatrixInput<Real>&, const MatrixInput<Real>&,              \
                                                 const AttentionSpec<Real>&, const AttentionResult<Real>&, Index, \
                                                 const std::vector<Index>&, Index, const std::vector<Index>&, Index);
FOVEA_WEIGHTS(float)
FOVEA_WEIGHTS(double)

}  // namespace fovea

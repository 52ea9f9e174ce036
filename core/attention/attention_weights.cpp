#include "fovea/core/attention/attention_weights.hpp"
#include "fovea/core/attention/engine/weight_tiles.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"

namespace fovea {
namespace {

void check_groups(std::string_view name, const std::vector<Index>& group, Index groups, Index rows) {
  require(static_cast<Index>(group.size()) == rows, "attention_between_groups: ", name, "_group has ", group.size(),
          " entries, but there are ", rows, " ", name, " rows; each needs its group.");
  for (std::size_t i = 0; i < group.size(); ++i)
    require(0 <= group[i] && group[i] < groups, "attention_between_groups: ", name, "_group[", i, "] is ", group[i],
            ", but must be from 0 to ", groups - 1, ".");
}

}  // namespace

template <typename Real>
Matrix<Real> attention_weights(const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                               const AttentionSpec<Real>& spec, const AttentionResult<Real>& forward, Index head,
                               const std::vector<Index>& rows) {
  const Problem<Real> problem("attention_weights", queries, keys, spec);
  problem.check_forward("attention_weights", forward);
  check_head("attention_weights", head, spec);
  check_rows("attention_weights", rows, queries.rows());
  const PackedKeys<Real> packed(problem, nullptr);
  Matrix<Real> weights = Matrix<Real>::Zero(static_cast<Index>(rows.size()), keys.rows());
  if (rows.empty()) return weights;
  const std::vector<NamedRows> blocks = named_rows(problem, head, rows);
  for_each_task(static_cast<Index>(blocks.size()), problem.worth_threads(), [&](Index b) {
    const NamedRows& named = blocks[b];
    for_each_weight_tile(packed, forward, named.block, [&](const ScoreTile<Real>& tile) {
      for (Index i = 0; i < tile.query_count; ++i) {
        Real* row = weights.row(named.place + tile.query(i) - named.block.first).data();
        for (Index j = 0; j < tile.key_count; ++j) row[tile.key(j)] = tile.row(i)[j];
      }
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
      const RowBlock& block = blocks[first + b];
      for_each_weight_tile(packed, forward, block, [&](const ScoreTile<Real>& tile) {
        for (Index i = 0; i < tile.query_count; ++i) {
          Real* row = sums.row(b * kBlockQueries + tile.query(i) - block.first).data();
          for (Index j = 0; j < tile.key_count; ++j) row[key_group[tile.key(j)]] += tile.row(i)[j];
        }
      });
    });
    for (Index b = 0; b < wave; ++b)
      for (Index i = 0; i < blocks[first + b].count; ++i) {
        const Index query = blocks[first + b].first + i;
        total.row(query_group[query]) += sums.row(b * kBlockQueries + i);
      }
  }
  std::vector<Index> members(query_groups, 0);
  for (const Index group : query_group) ++members[group];
  for (Index a = 0; a < query_groups; ++a)
    if (const Index count = members[a]; count > 0) total.row(a) /= static_cast<Real>(count);
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

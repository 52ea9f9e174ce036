#include <algorithm>

#include "fovea/core/attention/attention_weights.hpp"
#include "fovea/core/attention/engine/weight_tiles.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"

namespace fovea {
namespace {

constexpr Index kTileWave = 64;  // blocks at a time, each with a row of tiles of its own

/// Some queries that lie in one row of tiles.
struct TileRowBlock {
  RowBlock block;
  Index row = 0;
};

/// The first entry in part `part` of `count` entries that are cut into `parts`: floor(i parts / count) = part.
Index part_begin(Index part, Index parts, Index count) { return (part * count + parts - 1) / parts; }

template <typename Real>
std::vector<TileRowBlock> tile_row_blocks(const Problem<Real>& problem, Index head, Index set, Index rows) {
  const Index first = problem.first_query(set), queries = problem.first_query(set + 1) - first;
  std::vector<TileRowBlock> blocks;
  for (Index row = 0; row < rows; ++row) {
    const Index end = part_begin(row + 1, rows, queries);
    for (Index i = part_begin(row, rows, queries); i < end; i += kBlockQueries)
      blocks.push_back({{set, head, first + i, std::min(kBlockQueries, end - i)}, row});
  }
  return blocks;
}

/// target_c = the largest weight of column c of tiles; a NaN stays.
template <typename Real>
void take_largest(const ScoreTile<Real>& tile, const std::vector<Index>& column_of_key, Real* target) {
  for (Index i = 0; i < tile.query_count; ++i)
    for (Index j = 0; j < tile.key_count; ++j) {
      const Real weight = tile.row(i)[j];
      Real& largest = target[column_of_key[tile.key_position(j)]];
      if (weight > largest || weight != weight) largest = weight;
    }
}

void check_parts(std::string_view name, Index parts, std::string_view of, Index set, Index count) {
  require(1 <= parts && parts <= count, "attention_tiles: ", name, " = ", parts, ", but must be from 1 to ", count,
          ", the number of ", of, " in set ", set, ".");
}

}  // namespace

template <typename Real>
Matrix<Real> attention_tiles(const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                             const AttentionSpec<Real>& spec, const AttentionResult<Real>& forward, Index head,
                             Index set, Index rows, Index columns) {
  const Problem<Real> problem("attention_tiles", queries, keys, spec);
  problem.check_forward("attention_tiles", forward);
  check_head("attention_tiles", head, spec);
  require(0 <= set && set < problem.set_count(), "attention_tiles: set = ", set, ", but must be from 0 to ",
          problem.set_count() - 1, ".");
  const Index key_count = problem.first_key(set + 1) - problem.first_key(set);
  check_parts("rows", rows, "queries", set, problem.first_query(set + 1) - problem.first_query(set));
  check_parts("columns", columns, "keys", set, key_count);

  std::vector<Index> column_of_key(key_count);
  for (Index j = 0; j < key_count; ++j) column_of_key[j] = j * columns / key_count;
  const PackedKeys<Real> packed(problem, nullptr);
  const std::vector<TileRowBlock> blocks = tile_row_blocks(problem, head, set, rows);
  const Index block_count = static_cast<Index>(blocks.size());
  Matrix<Real> largest = Matrix<Real>::Zero(rows, columns), parts(kTileWave, columns);
  for (Index first = 0; first < block_count; first += kTileWave) {
    const Index wave = std::min(kTileWave, block_count - first);
    parts.setZero();
    for_each_task(wave, problem.worth_threads(), [&](Index b) {
      for_each_weight_tile(packed, forward, blocks[first + b].block, [&](const ScoreTile<Real>& tile) {
        take_largest(tile, column_of_key, parts.row(b).data());
      });
    });
    for (Index b = 0; b < wave; ++b) {
      Real* row = largest.row(blocks[first + b].row).data();
      for (Index c = 0; c < columns; ++c)
        if (parts(b, c) > row[c] || parts(b, c) != parts(b, c)) row[c] = parts(b, c);
    }
  }
  return largest;
}

#define FOVEA_TILES(Real)                                                                                              \
  template Matrix<Real> attention_tiles(const MatrixInput<Real>&, const MatrixInput<Real>&,                            \
                                        const AttentionSpec<Real>&, const AttentionResult<Real>&, Index, Index, Index, \
                                        Index);
FOVEA_TILES(float)
FOVEA_TILES(double)

}  // namespace fovea

#pragma once
/// Tiles of keys that a row may leave out: skipping with a tolerance. Internal to core/attention.
///
/// A tile is left out of row i if no score in it can be above  threshold_i = L_i + log(tolerance / M),  where L_i is a
/// lower bound of the row's log-sum-exp and M the number of keys in its set. All keys that are left out together then
/// weigh at most `tolerance`. The decision is the row's own, so its bits depend on nothing beside it. L_i comes from
/// the tile with the largest bound; bounds come from the boxes of the tiles' prepared keys and from the modifiers.
///
/// A bound for a box of queries, or for several tiles at once, is never below that of one query and tile: the same
/// operations in the same order are monotonic, rounded too. So whole blocks are left out by one bound where every row
/// would have left them out by its own.

#include <cstdint>

#include "fovea/core/attention/engine/prepare.hpp"
#include "fovea/core/attention/engine/scorer.hpp"

namespace fovea {

/// Some queries, and the box of their prepared rows.
template <typename Real>
struct QueryBox {
  Index first = 0, count = 0;
  const Real *low = nullptr, *high = nullptr;
};

/// The box of `count` rows, `stride` apart. Valid until the next call of this thread.
template <typename Real>
QueryBox<Real> box_of(Index first, Index count, const Real* rows, Index stride, Index columns);

/// The box of each block of prepared keys, for all heads and sets.
template <typename Real>
class KeyBoxes {
 public:
  KeyBoxes(const Problem<Real>& problem, const PreparedKeys<Real>& prepared, Index block);

  Index block() const { return block_; }
  Index count(Index set) const;
  /// The largest score that queries in a box can have with the keys of a block, after all modifiers; -inf: all are
  /// masked.
  Real bound(Index head, Index set, Index block, const QueryBox<Real>& queries) const;
  /// These queries and the keys of a block.
  TileRange range(Index head, Index set, Index block, Index query, Index count) const;

 private:
  Real comparison(Index head, Index set, Index block, const QueryBox<Real>& queries) const;

  const Problem<Real>& problem_;
  const PreparedKeys<Real>& prepared_;
  Index block_;
  std::vector<Index> first_block_;  ///< of each set, over all sets
  Matrix<Real> low_, high_;         ///< a row for each copy of the keys and each block
};

/// What a row leaves out.
template <typename Real>
struct RowSkips {
  Real threshold = kMasked<Real>;
  Real least_log_sum = kMasked<Real>;  ///< L_i
  Index keys = 0;                      ///< left out
  std::vector<std::uint8_t> skipped;   ///< one for each tile of the set
};

template <typename Real>
class Skipping {
 public:
  Skipping(const Problem<Real>& problem, const PreparedKeys<Real>& prepared);

  /// Decides for the queries of a block; `prepared` rows one after the other. score_tile(range) gives the scores of one
  /// query with a tile.
  template <typename ScoreTileOf>
  void decide(const RowBlock& block, const Real* prepared, const ScoreTileOf& score_tile,
              std::vector<RowSkips<Real>>& rows) const {
    const Index columns = problem_.prepared_columns();
    rows.resize(block.count);
    for (Index i = 0; i < block.count; ++i) {
      const Real* query = prepared + i * columns;
      RowSkips<Real>& row = rows[i];
      row = {};
      row.skipped.assign(tiles_.count(block.set), 0);
      const Index best = most_promising(block, {block.first + i, 1, query, query});
      if (best < 0) continue;
      const TileRange range = tiles_.range(block.head, block.set, best, block.first + i, 1);
      set_threshold(block.set, std::span<Real>(score_tile(range), range.key_count), row);
    }
    skip(block, prepared, rows);
  }

 private:
  Index tiles_of_region() const { return regions_.block() / tiles_.block(); }
  Index most_promising(const RowBlock& block, const QueryBox<Real>& query) const;
  void set_threshold(Index set, std::span<Real> scores, RowSkips<Real>& row) const;
  void skip(const RowBlock& block, const Real* prepared, std::vector<RowSkips<Real>>& rows) const;
  void skip_tile(const RowBlock& block, Index tile, const Real* prepared, bool all,
                 std::vector<RowSkips<Real>>& rows) const;

  const Problem<Real>& problem_;
  KeyBoxes<Real> tiles_, regions_;
};

}  // namespace fovea

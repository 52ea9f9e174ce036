#pragma once
/// The walk over the tiles of a block of queries: what forward, the weights and their pictures have in common. Internal
/// to core/attention.

#include <cstdint>
#include <optional>

#include "fovea/core/attention/engine/prepare.hpp"
#include "fovea/core/attention/engine/scorer.hpp"
#include "fovea/core/attention/engine/skipping.hpp"

namespace fovea {

/// The keys of a call, and its values if any, packed once for all queries. A small set is packed by the thread whose
/// turn it is, into memory that is still in the cache when its queries come; a neighbour list is gathered likewise.
template <typename Real>
class PackedKeys {
 public:
  /// values: nullptr where nobody asks for them.
  PackedKeys(const Problem<Real>& problem, const MatrixView<Real>* values);

  const Problem<Real>& problem() const { return problem_; }
  Index value_columns() const { return value_columns_; }
  const Skipping<Real>* skipping() const { return skipping_ ? &*skipping_ : nullptr; }
  /// B(c, j) of a range's keys. The range begins at a whole group of its set.
  RightOperand<Real> keys(const TileRange& range, Index set) const;
  /// Values of the same keys: B(j, c) where value_columns() >= kWide, else B(c, j).
  RightOperand<Real> values(const TileRange& range, Index set) const;
  void expect(const TileRange& range, Index set) const;  ///< asks the memory for listed keys and values needed soon
  /// The prepared keys of a set and its values, where they stand.
  RowSource<Real> keys_of(Index head, Index set) const;
  RowSource<Real> values_of(Index key_head, Index set) const;
  bool is_small(Index set) const { return size_of(set) <= kSmallSet; }
  Index size_of(Index set) const { return problem_.first_key(set + 1) - problem_.first_key(set); }

 private:
  void pack_values(const RowSource<Real>& rows, Index count, Real* packed) const;
  void pack_set(Index set, Index part);
  const Real* small_keys(Index head, Index set) const;
  const Real* small_values(Index key_head, Index set) const;
  Index value_width() const { return value_columns_ < kWide ? value_columns_ : whole_lanes<Real>(value_columns_); }

  const Problem<Real>& problem_;
  PreparedKeys<Real> prepared_;
  const MatrixView<Real>* given_values_;
  Index value_columns_ = 0;
  static constexpr Index kSmallSet = 512;  ///< keys

  std::vector<Index> room_before_;  ///< keys in whole groups of the large sets before
  CallMemory<Real> keys_, values_;
  std::optional<Skipping<Real>> skipping_;
  std::uint64_t number_;  ///< of this call: whose small set is in a thread's memory
};

/// The queries of a block, prepared.
template <typename Real>
class QueryRows {
 public:
  QueryRows(const Problem<Real>& problem, const RowBlock& block);
  LeftOperand<Real> from(Index query) const { return {rows_ + (query - first_) * columns_, columns_, 1}; }
  const Real* data() const { return rows_; }

 private:
  Index first_, columns_;
  Real* rows_;
};

/// A tile of final scores with its keys' values.
template <typename Real>
struct ScoredTile {
  ScoreTile<Real> scores;
  RightOperand<Real> values;
};

/// What the rows of the block last walked left out; empty without a tolerance. Memory of the thread.
template <typename Real>
std::vector<RowSkips<Real>>& row_skips();

/// One block of queries on its way through the tiles.
template <typename Real>
class Walk {
 public:
  Walk(const PackedKeys<Real>& packed, const RowBlock& block);
  /// Calls visit(ScoredTile) for the tiles of the block, each row's in ascending order of its keys.
  template <typename Visit>
  void for_each_tile(const Visit& visit) {
    if (packed_.problem().lists())
      for_each_list(visit);
    else
      for_each_rectangle(visit);
  }

 private:
  template <typename Visit>
  void for_each_list(const Visit& visit) {
    const NeighbourLists& lists = *packed_.problem().lists();
    for (Index i = block_.first; i < block_.first + block_.count; ++i) {
      const Index end = lists.offsets[i + 1];
      if (i + 1 < block_.first + block_.count) expect_list(i + 1);
      for (Index begin = lists.offsets[i]; begin < end; begin += kTileKeys)
        visit(score(
            packed_.problem().listed_range({block_.set, block_.head, i, 1}, begin, std::min(kTileKeys, end - begin))));
    }
  }

  template <typename Visit>
  void for_each_rectangle(const Visit& visit) {
    const Problem<Real>& problem = packed_.problem();
    const Index last_key = problem.first_key(block_.set + 1), last_query = block_.first + block_.count;
    for (Index key = problem.first_key(block_.set); key < last_key; key += kTileKeys) {
      const TileRange all = problem.range(block_, key, std::min(kTileKeys, last_key - key));
      if (problem.visible(all).empty()) continue;
      for (Index query = block_.first; query < last_query;) {
        TileRange range = with_queries(all, query, std::min(step_, last_query - query));
        const KeySpan span = problem.visible(range);
        query += range.query_count;
        if (span.empty() || all_skip(range)) continue;
        while (range.query_count + step_ <= tile_queries_ && query < last_query && skips_.empty()) {
          const TileRange next = with_queries(all, query, std::min(step_, last_query - query));
          if (problem.visible(next) != span) break;
          range.query_count += next.query_count;
          query += next.query_count;
        }
        const ScoredTile<Real> tile = score(narrowed(range, span));
        mask_skipped(tile.scores);
        visit(tile);
      }
    }
  }

  void expect_list(Index query) const;
  ScoredTile<Real> score(const TileRange& range);
  bool all_skip(const TileRange& range) const;
  void mask_skipped(const ScoreTile<Real>& tile) const;

  const PackedKeys<Real>& packed_;
  RowBlock block_;
  Index tile_queries_, step_;  ///< step_: queries that modifiers see at a time
  QueryRows<Real> queries_;
  Scorer<Real> scorer_;
  Real* scores_;
  const std::vector<RowSkips<Real>>& skips_;
};

template <typename Real, typename Visit>
void for_each_tile(const PackedKeys<Real>& packed, const RowBlock& block, const Visit& visit) {
  Walk<Real>(packed, block).for_each_tile(visit);
}

}  // namespace fovea

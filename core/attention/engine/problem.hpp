#pragma once
/// One call of the engine, checked and cut into blocks. Internal to core/attention.

#include <functional>
#include <string_view>
#include <vector>

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/base/instruction_set.hpp"

namespace fovea {

/// How the work is cut, counted from the start of a set: how a row is cut never depends on what else is in the call.
inline constexpr Index kTileKeys = 256;     ///< keys of a tile: with its queries, scores that stay in the first cache
inline constexpr Index kTileQueries = 14;   ///< queries of a tile that modifiers see
inline constexpr Index kBlockQueries = 56;  ///< queries of a task: they share the keys that come from the second cache
inline constexpr Index kBlockKeys = 448;    ///< keys of a backward task: their sums stay in the second cache

/// How many queries are multiplied with keys at a time, and how many a task has: whole blocks of registers, 14 rows
/// with AVX-512, 4 of 6 without. Where there are modifiers, which see kTileQueries rows on every machine, two of their
/// tiles.
struct ForwardTiles {
  static constexpr Index kMostQueries = 2 * kTileQueries;
  Index queries, task_queries;
  static ForwardTiles of(InstructionSet set, bool modified) {
    if (set == InstructionSet::avx512) return {kTileQueries, kBlockQueries};
    return modified ? ForwardTiles{2 * kTileQueries, kBlockQueries} : ForwardTiles{24, 72};
  }
};

/// Some queries (or keys) of one set and head.
struct RowBlock {
  Index set = 0;
  Index head = 0;
  Index first = 0;
  Index count = 0;
};

template <typename Real>
class Problem {
 public:
  /// Checks everything at the door. who: the public function, for messages. Keeps references to all arguments.
  Problem(std::string_view who, const MatrixView<Real>& queries, const MatrixView<Real>& keys,
          const AttentionSpec<Real>& spec);
  /// Checks the values too.
  Problem(std::string_view who, const MatrixView<Real>& queries, const MatrixView<Real>& keys,
          const MatrixView<Real>& values, const AttentionSpec<Real>& spec);

  /// Throws unless the forward result has the shapes of this problem.
  void check_forward(std::string_view who, const AttentionResult<Real>& forward) const;
  void check_output_gradient(const AttentionResult<Real>& forward, const MatrixView<Real>& gradient,
                             const Matrix<Real>& draw_costs) const;

  const AttentionSpec<Real>& spec() const { return spec_; }
  const ScoreFunction<Real>& score() const { return *spec_.score.function; }
  Index query_count() const { return queries_.rows(); }
  Index key_count() const { return keys_.rows(); }
  Index heads() const { return spec_.heads; }
  Index key_heads() const { return key_heads_; }
  Index key_head(Index head) const { return head / (spec_.heads / key_heads_); }
  Index dimension() const { return queries_.cols() / spec_.heads; }
  Index prepared_columns() const { return score().prepared_columns(dimension()); }
  Index set_count() const { return static_cast<Index>(query_offsets_.size()) - 1; }
  Index first_query(Index set) const { return query_offsets_[set]; }
  Index first_key(Index set) const { return key_offsets_[set]; }
  Index set_of_query(Index row) const;
  const NeighbourLists* lists() const { return lists_; }  ///< of the first modifier that has some
  /// Whether all pairs of a set are computed: without lists, and with lists of products and softmax where the set is so
  /// small that masks cost less.
  bool is_rectangle(Index set) const;
  bool worth_threads() const { return worth_threads_; }
  bool is_modified() const { return !spec_.modifiers.empty(); }
  bool skips() const { return spec_.tolerance > 0 && !lists_; }

  const MatrixView<Real>& queries() const { return queries_; }
  MatrixView<Real> queries_of(Index head) const { return queries_.middleCols(head * dimension(), dimension()); }
  MatrixView<Real> keys_of(Index head) const { return keys_.middleCols(key_head(head) * dimension(), dimension()); }

  std::vector<RowBlock> query_blocks() const;  ///< of kBlockQueries
  std::vector<RowBlock> query_blocks(const std::function<Index(Index set)>& size) const;
  /// RowBlock::head: of the keys. Without lists the last blocks of a set with many are half as large, so that threads
  /// end at about the same time.
  std::vector<RowBlock> key_blocks() const;

  /// The rectangle of these queries and keys, with nothing in it yet.
  TileRange range(const RowBlock& queries, Index first_key, Index key_count) const;
  /// The keys [begin, begin + count) of the lists, for one query.
  TileRange listed_range(const RowBlock& query, Index begin, Index count) const;
  /// What all modifiers leave of a range of contiguous keys; begins and, unless the range ends, ends at whole groups.
  KeySpan visible(const TileRange& range) const;

 private:
  void check_spec(std::string_view who);
  void check_offsets(std::string_view who);
  void check_modifiers(std::string_view who);
  void check_lists(std::string_view who) const;

  const MatrixView<Real>& queries_;
  const MatrixView<Real>& keys_;
  const AttentionSpec<Real>& spec_;
  Index key_heads_ = 1;
  std::vector<Index> query_offsets_, key_offsets_;
  const NeighbourLists* lists_ = nullptr;
  bool worth_threads_ = false;
};

/// `range` with other keys or queries of it.
inline TileRange narrowed(TileRange range, const KeySpan& span) {
  range.first_key += span.begin;
  range.key_count = span.end - span.begin;
  return range;
}
inline TileRange with_queries(TileRange range, Index first, Index count) {
  range.first_query = first;
  range.query_count = count;
  return range;
}

}  // namespace fovea

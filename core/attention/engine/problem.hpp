#pragma once
/// One call of the engine, checked and cut into blocks of queries and tiles of keys. Internal to core/attention.

#include <string_view>
#include <vector>

#include "fovea/core/attention/attend.hpp"

namespace fovea {

/// Keys of one tile and, at most, queries of one block, counted from the start of a set: how a row is cut never depends
/// on what else is in the call.
inline constexpr Index kTileKeys = 512;
inline constexpr Index kMaxBlockQueries = 32;

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
  void check_output_gradient(const AttentionResult<Real>& forward, const MatrixView<Real>& gradient) const;

  const AttentionSpec<Real>& spec() const { return spec_; }
  Index query_count() const { return queries_.rows(); }
  Index key_count() const { return keys_.rows(); }
  Index dimension() const { return queries_.cols() / spec_.heads; }
  Index set_count() const { return static_cast<Index>(query_offsets_.size()) - 1; }
  Index first_query(Index set) const { return query_offsets_[static_cast<std::size_t>(set)]; }
  Index first_key(Index set) const { return key_offsets_[static_cast<std::size_t>(set)]; }
  Index set_of_query(Index row) const;
  /// Queries of a block: few in one dimension, so a tile stays in the first cache; more where a tile's keys must be
  /// copied into columns, so that the copy serves many.
  Index block_queries() const { return dimension() == 1 ? 8 : kMaxBlockQueries; }
  const NeighbourLists* lists() const { return lists_; }  ///< of the first modifier that has some
  bool worth_threads() const { return worth_threads_; }

  MatrixView<Real> queries_of(Index head) const { return queries_.middleCols(head * dimension(), dimension()); }
  MatrixView<Real> keys_of(Index head) const { return keys_.middleCols(head * dimension(), dimension()); }

  std::vector<RowBlock> query_blocks() const;
  std::vector<RowBlock> key_blocks() const;

  /// The rectangle of these queries and keys, with nothing in it yet.
  TileRange range(const RowBlock& queries, Index first_key, Index key_count) const;
  /// The keys [begin, begin + count) of the lists, for one query.
  TileRange listed_range(const RowBlock& query, Index begin, Index count) const;

  /// Calls visit(range) for each tile of a query block, in ascending order of keys; with neighbour lists, query by
  /// query.
  template <typename Visit>
  void for_each_tile(const RowBlock& block, const Visit& visit) const;

 private:
  void check_spec(std::string_view who);
  void check_offsets(std::string_view who);
  void check_modifiers(std::string_view who);

  const MatrixView<Real>& queries_;
  const MatrixView<Real>& keys_;
  const AttentionSpec<Real>& spec_;
  std::vector<Index> query_offsets_, key_offsets_;
  const NeighbourLists* lists_ = nullptr;
  bool worth_threads_ = false;
};

template <typename Real>
template <typename Visit>
void Problem<Real>::for_each_tile(const RowBlock& block, const Visit& visit) const {
  if (!lists_) {
    const Index end = first_key(block.set + 1);
    for (Index key = first_key(block.set); key < end; key += kTileKeys)
      visit(range(block, key, std::min(kTileKeys, end - key)));
    return;
  }
  for (Index i = block.first; i < block.first + block.count; ++i) {
    const Index end = lists_->offsets[static_cast<std::size_t>(i) + 1];
    for (Index begin = lists_->offsets[static_cast<std::size_t>(i)]; begin < end; begin += kTileKeys)
      visit(listed_range({block.set, block.head, i, 1}, begin, std::min(kTileKeys, end - begin)));
  }
}

}  // namespace fovea

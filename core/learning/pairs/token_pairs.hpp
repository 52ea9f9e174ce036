#pragma once
/// Pairs of tokens as rows: what a pair network computes with.

#include <memory>
#include <span>
#include <vector>

#include "fovea/core/attention/modifier.hpp"

namespace fovea::learning {

/// A pair of tokens: their row numbers, and which entries of a modifier's theta (of one head) the pair gives. mirror ==
/// entry where it gives one alone.
struct TokenPair {
  Index first, second;
  Index entry, mirror;
};

/// The pairs that have a row each, in the order of the rows.
class TokenPairs {
 public:
  TokenPairs() = default;
  /// All (i, j) of each set, row-major: entries are those of pair_bias().
  static TokenPairs all(std::span<const Index> offsets);
  /// Those with i <= j, for what is the same both ways: each gives the entries of (i, j) and (j, i) of pair_bias().
  static TokenPairs symmetric(std::span<const Index> offsets);
  /// Those of lists (i: the query): entries are those of listed_bias().
  static TokenPairs listed(std::shared_ptr<const NeighbourLists> lists);

  Index rows() const { return rows_; }
  Index entries() const { return entries_; }  ///< of one head
  /// The pairs of rows [first, first + pairs.size()).
  void read(Index first, std::span<TokenPair> pairs) const;

 private:
  static TokenPairs of_sets(std::span<const Index> offsets, bool symmetric);
  void read_listed(Index first, std::span<TokenPair> pairs) const;
  Index rows_before(Index set, Index position) const;

  bool symmetric_ = false;
  Index rows_ = 0, entries_ = 0;
  std::vector<Index> offsets_;                     ///< of the sets
  std::vector<Index> first_rows_, first_entries_;  ///< of each set
  std::shared_ptr<const NeighbourLists> lists_;
};

}  // namespace fovea::learning

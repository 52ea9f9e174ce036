#pragma once
/// A tile of scores: some queries of one set and head against some of its keys.

#include <limits>
#include <span>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// The score of a forbidden pair. Its weight is exactly 0.
template <typename Real>
inline constexpr Real kMasked = -std::numeric_limits<Real>::infinity();

/// Which pairs a tile holds. Rows are numbered through all packed sets; positions count from the start of the set.
struct TileRange {
  Index head = 0;
  Index first_query = 0;  ///< row number of the tile's first query
  Index query_count = 0;
  Index first_key = 0;  ///< row number of the first key, when the keys are contiguous
  Index key_count = 0;
  const Index* key_list = nullptr;  ///< row numbers of the keys, when they are not contiguous (neighbour lists)
  Index set_first_query = 0;        ///< row number of the set's first query
  Index set_first_key = 0;          ///< row number of the set's first key

  Index query(Index i) const { return first_query + i; }
  Index key(Index j) const { return key_list ? key_list[j] : first_key + j; }
  Index query_position(Index i) const { return query(i) - set_first_query; }
  Index key_position(Index j) const { return key(j) - set_first_key; }
};

template <typename Real>
struct ScoreTile : TileRange {
  Real* scores = nullptr;  ///< query_count x key_count, row-major
  Index stride = 0;        ///< from one row to the next
  Real* row(Index i) const { return scores + i * stride; }
};

/// Some keys of a range, counted within it: [begin, end).
struct KeySpan {
  Index begin = 0;
  Index end = 0;
  bool empty() const { return begin >= end; }
  bool operator==(const KeySpan&) const = default;
};

/// The sizes of one call of the engine, as modifiers check them.
struct AttentionShape {
  Index queries = 0, keys = 0;  ///< rows through all packed sets
  Index heads = 1;
  Index dimension = 0;                                ///< columns of one head
  std::span<const Index> query_offsets, key_offsets;  ///< of the packed sets; one set: {0, N}, {0, M}
};

}  // namespace fovea

#pragma once
/// A tile of scores: some queries of one set and head against some of its keys.

#include <limits>

#include "fovea/core/attention/matrix.hpp"

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

/// What a modifier allows in a tile.
enum class Cover { empty, partial, full };

}  // namespace fovea

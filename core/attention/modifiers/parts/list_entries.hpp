#pragma once
/// A tile against neighbour lists: which of its pairs are listed, and where. Internal to core/attention.

#include <algorithm>
#include <functional>
#include <limits>
#include <string_view>

#include "fovea/core/attention/modifier.hpp"
#include "fovea/core/base/memory.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {

/// Throws ArgumentError unless the lists are whole and ascend. who: for the message.
void check_lists(std::string_view who, const NeighbourLists& lists);
/// Throws ArgumentError unless there is a list for each query, of keys that attend() got.
void check_lists_fit(std::string_view who, const NeighbourLists& lists, const AttentionShape& shape);

/// The places in lists.keys of query i of the tile: its whole list, or the stretch of it that the tile's keys are.
struct ListStretch {
  Index begin, end;
  bool is_tile;  ///< the tile's keys are these, one by one
};
inline ListStretch stretch_of(const NeighbourLists& lists, const TileRange& tile, Index i) {
  const std::size_t query = tile.query(i);
  const Index begin = lists.offsets[query], end = lists.offsets[query + 1];
  const std::less_equal<const Index*> before;
  const Index* all = lists.keys.data();
  if (tile.key_list && before(all + begin, tile.key_list) && before(tile.key_list + tile.key_count, all + end))
    return {tile.key_list - all, tile.key_list - all + tile.key_count, true};
  return {begin, end, false};
}

/// Calls visit(j, e) for the keys j of query i that are listed at place e, and miss(j) for the others.
template <typename Visit, typename Miss>
void each_key(const NeighbourLists& lists, const TileRange& tile, Index i, const Visit& visit, const Miss& miss) {
  const ListStretch stretch = stretch_of(lists, tile, i);
  if (stretch.is_tile) {
    for (Index j = 0; j < tile.key_count; ++j) visit(j, stretch.begin + j);
    return;
  }
  const Index* keys = lists.keys.data();
  const Index* end = keys + stretch.end;
  const Index* listed = keys + stretch.begin;
  if (tile.key_count > 0) listed = std::lower_bound(listed, end, tile.key(0));
  for (Index j = 0; j < tile.key_count; ++j) {
    while (listed != end && *listed < tile.key(j)) ++listed;
    if (listed != end && *listed == tile.key(j))
      visit(j, listed - keys);
    else
      miss(j);
  }
}

/// Adds what bias(e) gives to the listed pairs of a tile that stands by keys, and masks the others.
template <typename Real, typename Bias>
void add_listed_by_keys(const NeighbourLists& lists, const ScoreTile<Real>& tile, const Bias& bias) {
  static thread_local AlignedVector<Real> memory;
  Real* added = room(memory, tile.key_count * tile.stride);
  std::fill_n(added, tile.key_count * tile.stride, kMasked<Real>);
  for (Index i = 0; i < tile.query_count; ++i) {
    const std::size_t query = tile.query(i);
    for (Index e = lists.offsets[query]; e < lists.offsets[query + 1]; ++e)
      added[(lists.keys[e] - tile.first_key) * tile.stride + i] = bias(e);
  }
  const Index count = tile.key_count * tile.stride;
  kernels<Real>().add_scaled(tile.scores, added, Real(1), count);
  if (kernels<Real>().maximum(tile.scores, count) < std::numeric_limits<Real>::infinity()) return;
  for (Index k = 0; k < count; ++k)  // a NaN that is masked
    if (added[k] == kMasked<Real>) tile.scores[k] = kMasked<Real>;
}

}  // namespace fovea

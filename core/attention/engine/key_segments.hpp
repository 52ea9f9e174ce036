#pragma once
/// Neighbour lists seen from the keys: which queries list some key of a block. Internal to core/attention.

#include <span>
#include <vector>

#include "fovea/core/attention/engine/problem.hpp"

namespace fovea {

/// A stretch of one query's list whose keys all lie in one block.
struct KeySegment {
  Index query = 0;
  Index begin = 0;  ///< into NeighbourLists::keys
  Index count = 0;
};

/// The segments of each block of keys, in ascending order of queries; O(listed pairs).
struct KeySegments {
  std::vector<std::size_t> offsets;
  std::vector<KeySegment> segments;
  std::span<const KeySegment> of_block(Index block) const {
    const std::size_t b = block;
    return std::span(segments).subspan(offsets[b], offsets[b + 1] - offsets[b]);
  }
};

/// blocks: problem.key_blocks().
template <typename Real>
KeySegments key_segments(const Problem<Real>& problem, const std::vector<RowBlock>& blocks);

}  // namespace fovea

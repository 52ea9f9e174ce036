#include "fovea/core/attention/engine/key_segments.hpp"

namespace fovea {
namespace {

/// Calls visit(block number within the head, segment) for all lists of a set, query after query.
template <typename Real, typename Visit>
void for_each_segment(const Problem<Real>& problem, Index set, const Visit& visit) {
  const NeighbourLists& lists = *problem.lists();
  for (Index query = problem.first_query(set); query < problem.first_query(set + 1); ++query) {
    const Index end = lists.offsets[query + 1];
    Index begin = lists.offsets[query];
    while (begin < end) {
      const Index block = (lists.keys[begin] - problem.first_key(set)) / kBlockKeys;
      const Index block_end = problem.first_key(set) + (block + 1) * kBlockKeys;
      Index next = begin + 1;
      while (next < end && lists.keys[next] < block_end) ++next;
      visit(block, KeySegment{query, begin, next - begin});
      begin = next;
    }
  }
}

}  // namespace

template <typename Real>
KeySegments key_segments(const Problem<Real>& problem, const std::vector<RowBlock>& blocks) {
  KeySegments result;
  result.offsets.assign(blocks.size() + 1, 0);
  // Blocks come set after set, and within a set head after head: first the counts, then the places.
  const auto for_each = [&](const auto& visit) {
    for (std::size_t first = 0; first < blocks.size();) {
      std::size_t next = first;
      while (next < blocks.size() && blocks[next].set == blocks[first].set && blocks[next].head == blocks[first].head)
        ++next;
      for_each_segment(problem, blocks[first].set, [&](Index block, const KeySegment& segment) {
        visit(first + static_cast<std::size_t>(block), segment);
      });
      first = next;
    }
  };
  for_each([&](std::size_t block, const KeySegment&) { ++result.offsets[block + 1]; });
  for (std::size_t b = 0; b < blocks.size(); ++b) result.offsets[b + 1] += result.offsets[b];
  result.segments.resize(result.offsets.back());
  std::vector<std::size_t> place(result.offsets.begin(), result.offsets.end() - 1);
  for_each([&](std::size_t block, const KeySegment& segment) { result.segments[place[block]++] = segment; });
  return result;
}

template KeySegments key_segments(const Problem<float>&, const std::vector<RowBlock>&);
template KeySegments key_segments(const Problem<double>&, const std::vector<RowBlock>&);

}  // namespace fovea

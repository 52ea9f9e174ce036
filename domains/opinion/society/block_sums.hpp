#pragma once
/// Numbers of a whole crowd of which each rank holds its own agents: the same bits for any number of ranks and threads.

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/ranks/ranks.hpp"

namespace fovea::opinion::society {

/// table: blocks x width, the sums of this rank's blocks. The sums over the blocks of all ranks, added as whole
/// multiples of 2^-77 of the largest, which have no order; of one block its own bits. Infinity where a sum of a block
/// is not finite.
std::vector<double> add_blocks(const Ranks& ranks, std::span<const double> table, Index width);

/// `width` sums over the agents of all ranks, of which this one has `agents`: add(first, last, sums) adds those of the
/// own agents first, ..., last - 1, a block of kRankBlock, in their order.
template <typename Add>
std::vector<double> sum_by_blocks(const Ranks& ranks, Index agents, Index width, const Add& add) {
  const Index blocks = (agents + kRankBlock - 1) / kRankBlock;
  std::vector<double> table(blocks * width, 0.0);
  for_each_task(blocks, blocks > 1, [&](Index block) {
    std::vector<double> sums(width, 0.0);  // in memory of this thread alone
    add(block * kRankBlock, std::min(agents, (block + 1) * kRankBlock), sums.data());
    std::copy(sums.begin(), sums.end(), table.begin() + block * width);
  });
  return add_blocks(ranks, table, width);
}

/// The least and the largest opinion of a component, over all ranks; infinity and -infinity where there are none.
std::pair<double, double> range_of(const Ranks& ranks, const Matrix<double>& opinions, Index component);
std::pair<double, double> range_of(const Ranks& ranks, double low, double high);

/// The number in the whole crowd, and the value, of the first of these that is not finite on any rank; first: number of
/// the first row here. A number of -1: all are finite.
std::pair<Index, double> first_not_finite(const Ranks& ranks, const Matrix<double>& opinions, Index first);

}  // namespace fovea::opinion::society

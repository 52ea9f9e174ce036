#pragma once
/// The processes that compute one thing together, each with a part of its own. What they tell each other has the same
/// bits for any number of them: sums are of whole numbers, which have no order, and nothing else is added.

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// Each call is made by every rank, in the same order and with as many numbers; it returns when all have come.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual Index rank() const = 0;  ///< from 0; rank 0 writes and speaks
  virtual Index size() const = 0;
  /// How many of them, this one included, are on this one's machine; and share its processors there.
  virtual Index on_machine() const { return 1; }
  virtual Index on_processors() const { return 1; }
  /// Each number becomes its sum over the ranks. It is the caller's business that no sum overflows.
  virtual void sum(std::span<std::int64_t> numbers) const = 0;
  /// Each number becomes the least, or the largest, over the ranks. No number may be NaN.
  virtual void least(std::span<double> numbers) const = 0;
  virtual void largest(std::span<double> numbers) const = 0;
  /// The numbers of all ranks, one rank after the other; they may bring different amounts. On every rank.
  virtual std::vector<double> collect(std::span<const double> own) const = 0;

  bool alone() const { return size() == 1; }
  std::int64_t total(std::int64_t own) const {
    sum({&own, 1});
    return own;
  }
  double largest_of(double own) const {
    largest({&own, 1});
    return own;
  }
  bool any(bool own) const { return total(own ? 1 : 0) > 0; }
};

/// One process by itself.
const Ranks& alone();

/// Agents, keys or other items that are added in order; blocks are added as whole numbers. A rank owns whole blocks:
/// small enough for ranks to have nearly as many items each, large enough for a block's tables to take a byte an item.
inline constexpr Index kRankBlock = Index{1} << 15;

/// The items of a rank: `count` from number `first` on. Ranks have the same number of blocks, or one more; rank 0 has
/// the first.
struct RankPart {
  Index first = 0, count = 0;
};
RankPart rank_part(Index items, Index rank, Index size);
inline RankPart rank_part(Index items, const Ranks& ranks) { return rank_part(items, ranks.rank(), ranks.size()); }

}  // namespace fovea

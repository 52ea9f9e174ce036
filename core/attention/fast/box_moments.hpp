#pragma once
/// What the boxes of a line keep of their keys. Internal to core/attention/fast.

#include <span>

#include "fovea/core/attention/fast/arguments.hpp"
#include "fovea/core/attention/fast/exact_sums.hpp"
#include "fovea/core/base/memory.hpp"
#include "fovea/core/kernels/line_kernels.hpp"
#include "fovea/core/ranks/ranks.hpp"

namespace fovea::fast {

/// Keys y with values v and strengths g (empty: all 1). The spans are of this rank, the rest is of all ranks.
struct LineKeys {
  std::span<const double> positions, values, strengths;
  Range range;  ///< of the positions
  double largest_value, largest_strength;
  Index all;  ///< how many keys

  Index own() const { return static_cast<Index>(positions.size()); }
};

/// The largest number of three bits up to `most`: a width whose multiples are exact.
double short_number(double most);

/// The moments of a row of boxes. Keeps its memory from call to call.
class BoxMoments {
 public:
  explicit BoxMoments(const Ranks& ranks = alone()) : ranks_(ranks) {}
  /// Keys of a block where so many boxes have keys: kRankBlock, or a power of 2 times that for very many boxes.
  static Index block_of(Index boxes);
  /// Keys come in blocks. A block's moments are doubles, summed in the order of its keys; blocks are added as whole
  /// numbers, whose sum has no order. So bits depend neither on which thread or rank adds a block nor on when. A rank
  /// owns whole blocks; the largest |v| g of a block must be far below the largest double.
  void collect(const BoxRow& boxes, const LineKeys& keys, Index block);
  /// kBoxSize moments a box, kLineTerms of g and kLineTerms of g v.
  const double* row(Index box) const { return sums_.data() + box * kBoxSize; }
  /// How far moments of this box may be off because blocks became whole numbers: those of g plus those of g v, the
  /// latter as a part of the largest |v|.
  double rounding(Index box) const;

 private:
  void collect_blocks(const BoxRow& used, const LineKeys& keys, Index block);
  void add_blocks(Index boxes, Index own, const LineKeys& keys, Index block);

  const Ranks& ranks_;
  double blocks_ = 0, unit_ = 0;  ///< unit: what one block is rounded by
  bool alike_ = true;             ///< all strengths are 1
  AlignedVector<double> sums_, tables_, references_;
  AlignedVector<double> least_;  ///< the reference of each box
  AlignedVector<WholeParts> wholes_;
};

}  // namespace fovea::fast

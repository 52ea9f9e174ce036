#include "fovea/core/attention/fast/box_moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/parallel.hpp"

namespace fovea::fast {
namespace {

constexpr Index kMomentOneTask = 4096;
constexpr Index kMomentKeysPerBox = 16;  // of a block at least: so its table costs less than its keys
constexpr Index kMomentTogether = 16;    // boxes side by side in the table of a block
constexpr double kMomentInfinity = std::numeric_limits<double>::infinity();

void add_keys(const BoxRow& boxes, const LineKeys& keys, Index from, Index count, double* table, double* references) {
  line_kernels().add_moments(boxes, keys.positions.data() + from, keys.values.data() + from,
                             keys.strengths.empty() ? nullptr : keys.strengths.data() + from, count, table, references);
}

/// Values count from the reference of their box; then they do no longer.
void add_references(const double* references, Index boxes, double* table) {
  for (Index box = 0; box < boxes; ++box, table += kBoxSize)
    for (Index k = 0; k < kLineTerms; ++k) table[kLineTerms + k] += references[box] * table[k];
}

}  // namespace

double short_number(double most) {
  int exponent = 0;
  const double fraction = std::frexp(most, &exponent);  // in [1/2, 1)
  return std::ldexp(std::floor(fraction * 8), exponent - 3);
}

Index BoxMoments::block_of(Index boxes) {
  Index block = kRankBlock;
  while (block < kMomentKeysPerBox * boxes) block *= 2;
  return block;
}

double BoxMoments::rounding(Index box) const { return unit_ * (alike_ ? std::min(row(box)[0], blocks_) : blocks_); }

void BoxMoments::collect(const BoxRow& boxes, const LineKeys& keys, Index block) {
  const double first = std::nearbyint(keys.range.low * boxes.inverse);
  const Index count = static_cast<Index>(std::nearbyint(keys.range.high * boxes.inverse) - first) + 1;
  const BoxRow used{boxes.width, boxes.inverse, first, count};  // those that have keys: no table for others
  double* sums = zeros(sums_, boxes.count * kBoxSize) + static_cast<Index>(first - boxes.first) * kBoxSize;
  blocks_ = static_cast<double>((keys.all + block - 1) / block);
  unit_ = 0;
  alike_ = keys.strengths.empty();
  if (blocks_ > 1) {
    collect_blocks(used, keys, block);
    std::copy_n(tables_.data(), count * kBoxSize, sums);
    return;
  }
  add_keys(used, keys, 0, keys.own(), sums, zeros(references_, count));
  add_references(references_.data(), count, sums);
  if (ranks_.alone()) return;
  if (keys.own() == 0) std::fill_n(sums, count * kBoxSize, -kMomentInfinity);  // one rank has the only block
  ranks_.largest({sums, static_cast<std::size_t>(count * kBoxSize)});
}

void BoxMoments::collect_blocks(const BoxRow& used, const LineKeys& keys, Index block) {
  const Index own = (keys.own() + block - 1) / block, size = used.count * kBoxSize;
  double *tables = room(tables_, std::max<Index>(own, 1) * size), *references = zeros(references_, own * used.count);
  for_each_task(own, keys.own() >= kMomentOneTask, [&](Index b) {
    double *table = tables + b * size, *reference = references + b * used.count;
    std::fill_n(table, size, 0.0);
    add_keys(used, keys, b * block, std::min(block, keys.own() - b * block), table, reference);
    for (Index box = 0; box < used.count; ++box)
      if (!(table[box * kBoxSize] > 0)) reference[box] = kMomentInfinity;
  });
  double* least = room(least_, used.count);
  std::fill_n(least, used.count, kMomentInfinity);
  for (Index b = 0; b < own; ++b)
    for (Index box = 0; box < used.count; ++box) least[box] = std::min(least[box], references[b * used.count + box]);
  ranks_.least({least, static_cast<std::size_t>(used.count)});
  add_blocks(used.count, own, keys, block);
}

/// One reference for all blocks, the least of theirs: where all think the same no rounding adds up.
void BoxMoments::add_blocks(Index boxes, Index own, const LineKeys& keys, Index block) {
  const double most = static_cast<double>(block) * keys.largest_strength;
  const FixedPoint masses(most, static_cast<std::int64_t>(blocks_)),
      values(2 * most * keys.largest_value, static_cast<std::int64_t>(blocks_));
  const double half = std::ldexp(0.5, -masses.low_bits());
  unit_ = masses.number(half) + (keys.largest_value > 0 ? values.number(half) / keys.largest_value : 0);
  WholeParts* wholes = room(wholes_, boxes * kBoxSize);
  for_each_task((boxes + kMomentTogether - 1) / kMomentTogether, true, [&](Index group) {
    const Index first = group * kMomentTogether, end = std::min(boxes, first + kMomentTogether);
    std::fill(wholes + first * kBoxSize, wholes + end * kBoxSize, WholeParts{});
    for (Index b = 0; b < own; ++b)
      for (Index box = first; box < end; ++box) {
        const double reference = references_[b * boxes + box], shift = reference - least_[box];
        if (reference == kMomentInfinity) continue;
        const double* table = tables_.data() + (b * boxes + box) * kBoxSize;
        WholeParts* sum = wholes + box * kBoxSize;
        for (Index k = 0; k < kLineTerms; ++k) {
          sum[k] += masses.whole(table[k]);
          sum[kLineTerms + k] += values.whole(table[kLineTerms + k] + shift * table[k]);
        }
      }
  });
  static_assert(sizeof(WholeParts) == 2 * sizeof(std::int64_t));
  ranks_.sum({&wholes->high, static_cast<std::size_t>(2 * boxes * kBoxSize)});
  for (Index box = 0; box < boxes; ++box) {
    if (least_[box] == kMomentInfinity) least_[box] = 0;  // nobody is in it
    double* sum = tables_.data() + box * kBoxSize;
    for (Index k = 0; k < kBoxSize; ++k) {
      const FixedPoint& scale = k < kLineTerms ? masses : values;
      sum[k] = scale.number(scale.approximate(wholes[box * kBoxSize + k]));
    }
  }
  add_references(least_.data(), boxes, tables_.data());
}

}  // namespace fovea::fast

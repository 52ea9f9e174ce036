#include "fovea/core/attention/fast/sorted_order.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "fovea/core/base/ordering.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/line_kernels.hpp"

namespace fovea::fast {
namespace {

constexpr int kOrderBits = 8, kOrderPlaceBits = 32;  // 2^8 streams of a pass stay in the nearest cache
constexpr std::size_t kOrderDigits = std::size_t{1} << kOrderBits;
constexpr Index kOrderOneThread = Index{1} << 15, kOrderRun = Index{1} << 13;
constexpr std::size_t kOrderAhead = 48;           // numbers, anywhere in memory, are asked for in time
constexpr double kOrderFractions = 4294967295.0;  // 2^32 - 1

/// A stretch of the numbers for each thread. What is computed of them does not depend on where they are cut.
struct Stretches {
  explicit Stretches(Index all)
      : count(all < kOrderOneThread ? 1 : thread_count()), length((all + count - 1) / count) {}
  Index count, length;
};

/// One pass of a radix sort: moves `from` to `to` by the digit that begins at bit `shift`; false: all have the same,
/// and nothing moved.
bool distribute(const std::uint64_t* from, std::uint64_t* to, Index count, int shift) {
  const auto digit = [shift](std::uint64_t part) { return (part >> shift) & (kOrderDigits - 1); };
  const Stretches stretches(count);
  std::vector<std::uint32_t> next(stretches.count * kOrderDigits, 0);
  const auto each = [&](Index s, auto f) {
    std::uint32_t* own = next.data() + static_cast<std::size_t>(s) * kOrderDigits;
    for (Index i = s * stretches.length; i < std::min(count, (s + 1) * stretches.length); ++i) f(from[i], own);
  };
  for_each_task(stretches.count, true,
                [&](Index s) { each(s, [&](std::uint64_t part, std::uint32_t* own) { ++own[digit(part)]; }); });
  std::uint32_t before = 0;
  for (std::size_t d = 0; d < kOrderDigits; ++d) {
    const std::uint32_t first = before;
    for (std::size_t s = 0; s < static_cast<std::size_t>(stretches.count); ++s)
      before += std::exchange(next[s * kOrderDigits + d], before);
    if (before - first == static_cast<std::uint32_t>(count)) return false;
  }
  for_each_task(stretches.count, true, [&](Index s) {
    each(s, [&](std::uint64_t part, std::uint32_t* own) { to[own[digit(part)]++] = part; });
  });
  return true;
}

}  // namespace

void SortedOrder::sort(std::span<const double> numbers) {
  const Index count = static_cast<Index>(numbers.size());
  const bool as_before = count == count_;
  count_ = count;
  room(places_, count);
  room(sorted_, count + kBehind);
  std::fill_n(sorted_.data() + count, kBehind, std::numeric_limits<double>::infinity());
  if (as_before && looks_sorted(numbers) && take_up(numbers)) return;
  if (sort_by_fraction(numbers) && take_up(numbers)) return;
  const std::vector<std::uint32_t> order = ascending_order(numbers);
  std::copy(order.begin(), order.end(), places_.begin());
  take_up(numbers);
}

/// Whether the order that there is may do, from a sample of neighbours.
bool SortedOrder::looks_sorted(std::span<const double> numbers) const {
  constexpr std::size_t kSample = 512;
  const std::size_t step = numbers.size() / kSample + 1;
  std::size_t seen = 0, wrong = 0;
  for (std::size_t r = 1; r < numbers.size(); r += step, ++seen)
    wrong += numbers[places_[r]] < numbers[places_[r - 1]] ? 1 : 0;
  return wrong <= seen / 4;
}

/// Reads the numbers in the order that there is and puts that right where little is wrong with it; false where much is.
bool SortedOrder::take_up(std::span<const double> numbers) {
  const Index runs = (count_ + kOrderRun - 1) / kOrderRun;
  std::vector<Index> wrong(runs, 0);
  for_each_task(runs, count_ >= kOrderOneThread, [&](Index run) {
    const std::size_t from = run * kOrderRun, to = std::min(count_, (run + 1) * kOrderRun);
    std::uint32_t place_before = from == 0 ? 0 : places_[from - 1];
    double before = from == 0 ? -std::numeric_limits<double>::infinity() : numbers[place_before];
    Index found = 0;
    for (std::size_t r = from; r < to; ++r) {
      __builtin_prefetch(numbers.data() + places_[std::min(r + kOrderAhead, to - 1)]);
      const std::uint32_t place = places_[r];
      const double number = numbers[place];
      sorted_[r] = number;
      found += (number < before) | ((number == before) & (place < place_before)) ? 1 : 0;
      before = number;
      place_before = place;
    }
    wrong[run] = found;
  });
  Index all = 0;
  for (const Index some : wrong) all += some;
  return all == 0 || (all <= count_ / 8 && repair());
}

/// Takes each number that stands behind a larger one back to its place; false where that becomes long.
bool SortedOrder::repair() {
  Index moves = 0;
  for (std::size_t r = 1; r < static_cast<std::size_t>(count_); ++r) {
    for (std::size_t to = r; to > 0 && stands_before(to, to - 1); --to, ++moves) {
      std::swap(sorted_[to], sorted_[to - 1]);
      std::swap(places_[to], places_[to - 1]);
    }
    if (moves > 4 * count_) return false;
  }
  return true;
}

bool SortedOrder::sort_by_fraction(std::span<const double> numbers) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  line_kernels().range(numbers.data(), count_, &low, &high);
  const double width = high - low, scale = kOrderFractions / width;
  if (!(width > 0 && scale > 0 && scale < 1e300 && width < 1e300)) return false;
  room(parts_, count_);
  room(moved_parts_, count_);
  const Stretches stretches(count_);
  for_each_task(stretches.count, true, [&](Index s) {
    for (Index i = s * stretches.length; i < std::min(count_, (s + 1) * stretches.length); ++i) {
      const double fraction = (numbers[i] - low) * scale;
      parts_[i] = static_cast<std::uint64_t>(static_cast<std::int64_t>(fraction)) << kOrderPlaceBits |
                  static_cast<std::uint64_t>(i);
    }
  });
  for (int shift = kOrderPlaceBits; shift < 64; shift += kOrderBits)
    if (distribute(parts_.data(), moved_parts_.data(), count_, shift)) parts_.swap(moved_parts_);
  for_each_task(stretches.count, true, [&](Index s) {
    for (Index i = s * stretches.length; i < std::min(count_, (s + 1) * stretches.length); ++i)
      places_[i] = static_cast<std::uint32_t>(parts_[i]);
  });
  return true;
}

}  // namespace fovea::fast

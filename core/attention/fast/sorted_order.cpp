#include "fovea/core/attention/fast/sorted_order.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

#include "fovea/core/attention/engine/parallel.hpp"
#include "fovea/core/attention/kernels/line_kernels.hpp"

namespace fovea::fast {
namespace {

constexpr int kBits = 8, kPlaceBits = 32;  // 2^8 streams of a pass stay in the nearest cache
constexpr std::size_t kDigits = std::size_t{1} << kBits;
constexpr Index kOneThread = Index{1} << 15;
constexpr double kFractions = 4294967295.0;  // 2^32 - 1

/// Whole numbers in the order of the numbers.
std::uint64_t digits_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);  // -0 is 0
  return bits ^ ((bits >> 63) != 0 ? ~std::uint64_t{0} : std::uint64_t{1} << 63);
}

/// A stretch of the numbers for each thread. What is computed of them does not depend on where they are cut.
struct Stretches {
  explicit Stretches(Index all) : count(all < kOneThread ? 1 : thread_count()), length((all + count - 1) / count) {}
  Index count, length;
};

/// One pass of a radix sort: moves `from` to `to` by the digit that `digit` reads; false: all have the same, and
/// nothing moved.
template <typename Item, typename Digit>
bool distribute(const Item* from, Item* to, Index count, Digit digit) {
  const Stretches stretches(count);
  std::vector<std::uint32_t> next(static_cast<std::size_t>(stretches.count) * kDigits, 0);
  const auto each = [&](Index s, auto f) {
    std::uint32_t* own = next.data() + static_cast<std::size_t>(s) * kDigits;
    for (Index i = s * stretches.length; i < std::min(count, (s + 1) * stretches.length); ++i) f(from[i], own);
  };
  for_each_task(stretches.count, true,
                [&](Index s) { each(s, [&](const Item& item, std::uint32_t* own) { ++own[digit(item)]; }); });
  std::uint32_t before = 0;
  for (std::size_t d = 0; d < kDigits; ++d) {
    const std::uint32_t first = before;
    for (std::size_t s = 0; s < static_cast<std::size_t>(stretches.count); ++s)
      before += std::exchange(next[s * kDigits + d], before);
    if (before - first == static_cast<std::uint32_t>(count)) return false;
  }
  for_each_task(stretches.count, true, [&](Index s) {
    each(s, [&](const Item& item, std::uint32_t* own) { to[own[digit(item)]++] = item; });
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
  if (as_before && take_up(numbers)) return;
  if (sort_by_fraction(numbers) && take_up(numbers)) return;
  sort_by_bits(numbers);
  take_up(numbers);
}

/// Reads the numbers in the order that there is and puts that right where little is wrong with it; false where much is.
bool SortedOrder::take_up(std::span<const double> numbers) {
  const Stretches stretches(count_);
  for_each_task(stretches.count, true, [&](Index s) {
    for (Index r = s * stretches.length; r < std::min(count_, (s + 1) * stretches.length); ++r)
      sorted_[static_cast<std::size_t>(r)] = numbers[places_[static_cast<std::size_t>(r)]];
  });
  std::vector<Index> wrong(static_cast<std::size_t>(stretches.count), 0);
  for_each_task(stretches.count, true, [&](Index s) {
    Index found = 0;
    for (Index r = std::max<Index>(1, s * stretches.length); r < std::min(count_, (s + 1) * stretches.length); ++r)
      found += stands_before(static_cast<std::size_t>(r), static_cast<std::size_t>(r - 1)) ? 1 : 0;
    wrong[static_cast<std::size_t>(s)] = found;
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
  const double width = high - low, scale = kFractions / width;
  if (!(width > 0 && scale > 0 && scale < 1e300 && width < 1e300)) return false;
  room(parts_, count_);
  room(moved_parts_, count_);
  const Stretches stretches(count_);
  for_each_task(stretches.count, true, [&](Index s) {
    for (Index i = s * stretches.length; i < std::min(count_, (s + 1) * stretches.length); ++i) {
      const double fraction = (numbers[static_cast<std::size_t>(i)] - low) * scale;
      parts_[static_cast<std::size_t>(i)] =
          static_cast<std::uint64_t>(static_cast<std::int64_t>(fraction)) << kPlaceBits | static_cast<std::uint64_t>(i);
    }
  });
  for (int shift = kPlaceBits; shift < 64; shift += kBits)
    if (distribute(parts_.data(), moved_parts_.data(), count_,
                   [shift](std::uint64_t part) { return (part >> shift) & (kDigits - 1); }))
      parts_.swap(moved_parts_);
  for_each_task(stretches.count, true, [&](Index s) {
    for (Index i = s * stretches.length; i < std::min(count_, (s + 1) * stretches.length); ++i)
      places_[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(parts_[static_cast<std::size_t>(i)]);
  });
  return true;
}

void SortedOrder::sort_by_bits(std::span<const double> numbers) {
  room(entries_, count_);
  room(moved_entries_, count_);
  std::uint64_t least = ~std::uint64_t{0}, most = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    entries_[i] = {digits_of(numbers[i]), static_cast<std::uint32_t>(i)};
    least = std::min(least, entries_[i].digits);
    most = std::max(most, entries_[i].digits);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) entries_[i].digits -= least;
  for (int shift = 0; shift < 64 && (most - least) >> shift != 0; shift += kBits)
    if (distribute(entries_.data(), moved_entries_.data(), count_,
                   [shift](const Entry& entry) { return (entry.digits >> shift) & (kDigits - 1); }))
      entries_.swap(moved_entries_);
  for (std::size_t i = 0; i < numbers.size(); ++i) places_[i] = entries_[i].place;
}

}  // namespace fovea::fast

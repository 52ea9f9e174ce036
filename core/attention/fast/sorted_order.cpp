#include "fovea/core/attention/fast/sorted_order.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "fovea/core/attention/engine/parallel.hpp"

namespace fovea::fast {
namespace {

constexpr int kBits = 11;
constexpr std::size_t kDigits = std::size_t{1} << kBits;
constexpr Index kOneThread = Index{1} << 15, kComparisons = 512;

/// Whole numbers in the order of the numbers.
std::uint64_t digits_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);  // -0 is 0
  return bits ^ ((bits >> 63) != 0 ? ~std::uint64_t{0} : std::uint64_t{1} << 63);
}

}  // namespace

/// One pass: by the digit at `shift`, from entries_ to moved_, and then the two change names.
void SortedOrder::distribute(Index count, int shift) {
  const Index chunks = count < kOneThread ? 1 : thread_count(), length = (count + chunks - 1) / chunks;
  std::vector<Index> places(static_cast<std::size_t>(chunks) * kDigits, 0);
  const auto digit = [&](const Entry& entry) { return (entry.digits >> shift) & (kDigits - 1); };
  const auto each_entry = [&](Index c, auto f) {
    Index* own = places.data() + static_cast<std::size_t>(c) * kDigits;
    for (Index i = c * length; i < std::min(count, (c + 1) * length); ++i)
      f(entries_[static_cast<std::size_t>(i)], own);
  };
  for_each_task(chunks, true,
                [&](Index c) { each_entry(c, [&](const Entry& entry, Index* own) { ++own[digit(entry)]; }); });
  Index before = 0;
  for (std::size_t d = 0; d < kDigits; ++d)
    for (std::size_t c = 0; c < static_cast<std::size_t>(chunks); ++c) {
      const Index here = places[c * kDigits + d];
      if (here == count) return;  // all have this digit
      places[c * kDigits + d] = before;
      before += here;
    }
  for_each_task(chunks, true, [&](Index c) {
    each_entry(c,
               [&](const Entry& entry, Index* own) { moved_[static_cast<std::size_t>(own[digit(entry)]++)] = entry; });
  });
  entries_.swap(moved_);
}

void SortedOrder::sort(std::span<const double> numbers) {
  const Index count = static_cast<Index>(numbers.size());
  room(entries_, count);
  room(moved_, count);
  room(order_, count);
  std::uint64_t least = ~std::uint64_t{0}, most = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    entries_[i] = {digits_of(numbers[i]), static_cast<std::uint32_t>(i)};
    least = std::min(least, entries_[i].digits);
    most = std::max(most, entries_[i].digits);
  }
  if (count < kComparisons) {
    std::sort(entries_.begin(), entries_.begin() + count, [](const Entry& a, const Entry& b) {
      return a.digits < b.digits || (a.digits == b.digits && a.place < b.place);
    });
  } else {
    for (std::size_t i = 0; i < numbers.size(); ++i) entries_[i].digits -= least;
    for (int shift = 0; shift < static_cast<int>(std::bit_width(most - least)); shift += kBits)
      distribute(count, shift);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) order_[i] = entries_[i].place;
}

}  // namespace fovea::fast

#include "fovea/core/base/ordering.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

constexpr int kDigitBits = 11, kDigits = 6;  // 6 * 11 >= 64; the counts of a digit fit in the first-level cache
constexpr int kUpperDigits = 3;              // of few numbers these tell nearly all apart
constexpr std::size_t kDigitValues = std::size_t{1} << kDigitBits, kFew = 20000, kVeryFew = 400;

struct KeyedPlace {
  std::uint64_t key;
  std::uint32_t place;
};

std::uint64_t& key_of(std::uint64_t& item) { return item; }
std::uint64_t& key_of(KeyedPlace& item) { return item.key; }

/// Bits that ascend with the number: those of negative numbers descend and are turned round. + 0.0 makes -0 to 0.
std::uint64_t ascending_bits(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return bits >> 63 ? ~bits : bits | std::uint64_t{1} << 63;
}

double number_of(std::uint64_t key) { return std::bit_cast<double>(key >> 63 ? key ^ std::uint64_t{1} << 63 : ~key); }

std::size_t digit_of(std::uint64_t key, int digit) { return (key >> (digit * kDigitBits)) & (kDigitValues - 1); }

/// From the lowest digit, number `first`, to the highest, each a stable counting sort; a digit that all items share is
/// passed over.
template <typename Item>
void sort_by_digits(std::vector<Item>& items, int first) {
  std::array<std::array<std::uint32_t, kDigitValues>, kDigits> counts;
  std::fill(counts.begin() + first, counts.end(), std::array<std::uint32_t, kDigitValues>{});
  for (Item& item : items)
    for (int digit = first; digit < kDigits; ++digit) ++counts[digit][digit_of(key_of(item), digit)];
  std::vector<Item> sorted(items.size());
  for (int digit = first; digit < kDigits; ++digit) {
    auto& start = counts[digit];
    if (start[digit_of(key_of(items.front()), digit)] == items.size()) continue;
    std::uint32_t before = 0;
    for (std::uint32_t& count : start) before += std::exchange(count, before);
    for (Item& item : items) sorted[start[digit_of(key_of(item), digit)]++] = item;
    items.swap(sorted);
  }
}

/// Items in order of their upper digits, and where these are equal of their places, into their order.
template <typename Item>
void finish_order(std::vector<Item>& items) {
  const auto below = [](Item a, Item b) { return key_of(a) < key_of(b); };
  const auto upper = [](Item item) { return key_of(item) >> ((kDigits - kUpperDigits) * kDigitBits); };
  for (auto first = items.begin(); first != items.end();) {
    auto end = first + 1;
    bool ordered = true;
    for (; end != items.end() && upper(*end) == upper(*first); ++end) ordered = ordered && !below(*end, *(end - 1));
    if (!ordered) std::stable_sort(first, end, below);
    first = end;
  }
}

/// Stable.
template <typename Item>
void sort_by_keys(std::vector<Item>& items) {
  if (items.size() <= kVeryFew) {
    std::stable_sort(items.begin(), items.end(), [](Item a, Item b) { return key_of(a) < key_of(b); });
  } else if (items.size() <= kFew) {
    sort_by_digits(items, kDigits - kUpperDigits);
    finish_order(items);
  } else {
    sort_by_digits(items, 0);
  }
}

void check_order(const char* who, std::span<const double> values) {
  require(values.size() <= std::numeric_limits<std::uint32_t>::max(), who, ": ", values.size(),
          " values are more than 2^32 - 1.");
  for (const double value : values) require(!std::isnan(value), who, ": NaN has no place in an order.");
}

}  // namespace

std::vector<double> ascending(std::span<const double> values) {
  check_order("ascending", values);
  if (values.empty()) return {};
  std::vector<std::uint64_t> keys(values.size());
  std::transform(values.begin(), values.end(), keys.begin(), ascending_bits);
  sort_by_keys(keys);
  std::vector<double> sorted(keys.size());
  std::transform(keys.begin(), keys.end(), sorted.begin(), number_of);
  return sorted;
}

std::vector<std::uint32_t> ascending_order(std::span<const double> values) {
  check_order("ascending_order", values);
  if (values.empty()) return {};
  std::vector<KeyedPlace> items(values.size());
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = {ascending_bits(values[i]), static_cast<std::uint32_t>(i)};
  sort_by_keys(items);
  std::vector<std::uint32_t> order(items.size());
  std::transform(items.begin(), items.end(), order.begin(), [](const KeyedPlace& item) { return item.place; });
  return order;
}

}  // namespace fovea

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
constexpr std::size_t kDigitValues = std::size_t{1} << kDigitBits;

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

/// From the lowest digit to the highest, each a stable counting sort; a digit that all items share is passed over.
template <typename Item>
void sort_by_digits(std::vector<Item>& items) {
  std::vector<std::array<std::size_t, kDigitValues>> counts(kDigits);
  for (Item& item : items)
    for (int digit = 0; digit < kDigits; ++digit)
      ++counts[static_cast<std::size_t>(digit)][digit_of(key_of(item), digit)];
  std::vector<Item> sorted(items.size());
  for (int digit = 0; digit < kDigits; ++digit) {
    auto& start = counts[static_cast<std::size_t>(digit)];
    if (start[digit_of(key_of(items.front()), digit)] == items.size()) continue;
    std::size_t before = 0;
    for (std::size_t& count : start) before += std::exchange(count, before);
    for (Item& item : items) sorted[start[digit_of(key_of(item), digit)]++] = item;
    items.swap(sorted);
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
  sort_by_digits(keys);
  std::vector<double> sorted(keys.size());
  std::transform(keys.begin(), keys.end(), sorted.begin(), number_of);
  return sorted;
}

std::vector<std::uint32_t> ascending_order(std::span<const double> values) {
  check_order("ascending_order", values);
  if (values.empty()) return {};
  std::vector<KeyedPlace> items(values.size());
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = {ascending_bits(values[i]), static_cast<std::uint32_t>(i)};
  sort_by_digits(items);
  std::vector<std::uint32_t> order(items.size());
  std::transform(items.begin(), items.end(), order.begin(), [](const KeyedPlace& item) { return item.place; });
  return order;
}

}  // namespace fovea

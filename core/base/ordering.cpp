#include "fovea/core/base/ordering.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

constexpr int kDigitBits = 11, kDigits = 3;  // the counts of a digit fit in the first-level cache
constexpr int kUpperBits = 32;               // of the bits in which the values differ: these tell nearly all apart
constexpr std::size_t kDigitValues = std::size_t{1} << kDigitBits, kVeryFew = 400;
constexpr std::ptrdiff_t kFewAlike = 16;  // sorted in place in less time than memory for std::stable_sort takes

/// Bits that ascend with the number: those of negative numbers descend and are turned round. + 0.0 makes -0 to 0.
std::uint64_t ascending_bits(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return bits >> 63 ? ~bits : bits | std::uint64_t{1} << 63;
}

double number_of(std::uint64_t key) { return std::bit_cast<double>(key >> 63 ? key ^ std::uint64_t{1} << 63 : ~key); }

/// By the bits [first, first + kUpperBits), a digit at a time from the lowest, each a stable counting sort; a digit
/// that all items share is passed over.
void sort_by_digits(std::vector<std::uint64_t>& items, int first) {
  const auto digit_of = [first](std::uint64_t item, int digit) {
    return ((item >> first & 0xffffffffu) >> (digit * kDigitBits)) & (kDigitValues - 1);
  };
  std::array<std::array<std::uint32_t, kDigitValues>, kDigits> counts{};
  for (const std::uint64_t item : items)
    for (int digit = 0; digit < kDigits; ++digit) ++counts[digit][digit_of(item, digit)];
  std::vector<std::uint64_t> sorted(items.size());
  for (int digit = 0; digit < kDigits; ++digit) {
    auto& start = counts[digit];
    if (start[digit_of(items.front(), digit)] == items.size()) continue;
    std::uint32_t before = 0;
    for (std::uint32_t& count : start) before += std::exchange(count, before);
    for (const std::uint64_t item : items) sorted[start[digit_of(item, digit)]++] = item;
    items.swap(sorted);
  }
}

/// Runs of items that `same` joins are sorted by `below`, stably.
void finish_order(std::vector<std::uint64_t>& items, const auto& same, const auto& below) {
  for (auto first = items.begin(); first != items.end();) {
    auto end = first + 1;
    bool ordered = true;
    for (; end != items.end() && same(*end, *first); ++end) ordered = ordered && !below(*end, *(end - 1));
    if (!ordered && end - first > kFewAlike) std::stable_sort(first, end, below);
    if (!ordered && end - first <= kFewAlike)
      for (auto next = first + 1; next != end; ++next)
        std::rotate(std::upper_bound(first, next, *next, below), next, next + 1);
    first = end;
  }
}

/// The lowest of the kUpperBits bits that begin with the highest in which any two keys differ.
int first_upper_bit(const std::vector<std::uint64_t>& keys) {
  std::uint64_t differ = 0;
  for (const std::uint64_t key : keys) differ |= key ^ keys.front();
  return std::max(64 - std::countl_zero(differ) - kUpperBits, 0);
}

std::vector<std::uint64_t> keys_of(std::span<const double> values) {
  std::vector<std::uint64_t> keys(values.size());
  std::transform(values.begin(), values.end(), keys.begin(), ascending_bits);
  return keys;
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
  std::vector<std::uint64_t> keys = keys_of(values);
  if (keys.size() <= kVeryFew) {
    std::sort(keys.begin(), keys.end());
  } else if (const int first = first_upper_bit(keys); sort_by_digits(keys, first), first > 0) {
    finish_order(
        keys, [first](std::uint64_t a, std::uint64_t b) { return a >> first == b >> first; }, std::less<>());
  }
  std::vector<double> sorted(keys.size());
  std::transform(keys.begin(), keys.end(), sorted.begin(), number_of);
  return sorted;
}

std::vector<std::uint32_t> ascending_order(std::span<const double> values) {
  check_order("ascending_order", values);
  if (values.empty()) return {};
  const std::vector<std::uint64_t> keys = keys_of(values);
  const auto place_of = [](std::uint64_t item) { return static_cast<std::uint32_t>(item); };
  const auto below = [&](std::uint64_t a, std::uint64_t b) { return keys[place_of(a)] < keys[place_of(b)]; };
  const int first = first_upper_bit(keys);
  std::vector<std::uint64_t> items(values.size());  // the upper bits of the key, then the place
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = keys[i] >> first << 32 | i;
  if (items.size() <= kVeryFew) {
    std::stable_sort(items.begin(), items.end(), below);
  } else {
    sort_by_digits(items, 32);
    if (first > 0)
      finish_order(
          items, [](std::uint64_t a, std::uint64_t b) { return a >> 32 == b >> 32; }, below);
  }
  std::vector<std::uint32_t> order(items.size());
  std::transform(items.begin(), items.end(), order.begin(), place_of);
  return order;
}

}  // namespace fovea

#pragma once
/// The ascending order of numbers. Internal to core/attention/fast.

#include <cstdint>
#include <span>

#include "fovea/core/base/memory.hpp"

namespace fovea::fast {

/// Equal numbers stay in the order they came in, so there is one answer, for any number of threads and whatever was
/// sorted before. Keeps its memory from call to call, and its order: numbers that have hardly changed places are sorted
/// again in one pass.
class SortedOrder {
 public:
  /// Sorts by digits from the last (radix sort): first by 32 bits of the place between the least and the largest, and
  /// by all bits (ascending_order()) where too many share these. At most 2^32 - 1 finite numbers.
  void sort(std::span<const double> numbers);
  Index count() const { return count_; }
  /// The place of the r-th smallest number, and the number.
  const std::uint32_t* places() const { return places_.data(); }
  /// Behind the last stand kBehind times infinity.
  const double* numbers() const { return sorted_.data(); }
  static constexpr Index kBehind = 4;

 private:
  bool looks_sorted(std::span<const double> numbers) const;
  bool take_up(std::span<const double> numbers);
  /// Whether the number at rank a belongs before that at rank b.
  bool stands_before(std::size_t a, std::size_t b) const {
    const bool less = sorted_[a] < sorted_[b], even = sorted_[a] == sorted_[b], earlier = places_[a] < places_[b];
    return less | (even & earlier);  // without a jump that nobody could foresee
  }
  bool repair();
  bool sort_by_fraction(std::span<const double> numbers);

  Index count_ = 0;
  AlignedVector<std::uint64_t> parts_, moved_parts_;  ///< 32 bits and, behind them, the place
  AlignedVector<std::uint32_t> places_;
  AlignedVector<double> sorted_;
};

}  // namespace fovea::fast

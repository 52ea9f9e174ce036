#pragma once
/// The ascending order of numbers. Internal to core/attention/fast.

#include <cstdint>
#include <span>

#include "fovea/core/attention/engine/memory.hpp"

namespace fovea::fast {

/// Sorts by digits from the last (radix sort), so that equal numbers stay in the order they came in: the order is the
/// same for any number of threads. Keeps its memory from call to call.
class SortedOrder {
 public:
  /// order()[r] is the place of the r-th smallest number. At most 2^32 - 1 finite numbers.
  void sort(std::span<const double> numbers);
  const std::uint32_t* order() const { return order_.data(); }

 private:
  struct Entry {
    std::uint64_t digits;
    std::uint32_t place;
  };
  void distribute(Index count, int shift);
  AlignedVector<Entry> entries_, moved_;
  AlignedVector<std::uint32_t> order_;
};

}  // namespace fovea::fast

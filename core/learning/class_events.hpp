#pragma once
/// Dated events of several classes in packed sets, as class_pooling() reads them.

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::learning {

/// Events of packed sets, those of a class side by side: of set b and class c [offsets[b C + c], offsets[b C + c + 1]),
/// in the order of time. group_by_class() makes them.
struct ClassEvents {
  Index classes = 1;               ///< C
  std::span<const Index> offsets;  ///< B C + 1
  std::span<const double> times;   ///< N, in any unit
};

/// When each set is asked: set b has queries [offsets[b], offsets[b + 1]), in the order of time. A query sees the
/// events up to and including its own time.
struct TimedQueries {
  std::span<const Index> offsets;  ///< B + 1
  std::span<const double> times;   ///< Q, in the unit of the events
};

/// Events in the order that ClassEvents wants.
struct GroupedEvents {
  Index classes = 1;
  std::vector<Index> offsets;
  std::vector<double> times;
  std::vector<Index> order;  ///< N: which of the events that were given, for taking the values in this order
  ClassEvents view() const { return {classes, offsets, times}; }
};

/// offsets   B + 1, of the packed sets
/// times     N, finite;  classes (N) in [0, count);  count >= 1
/// Events of a class at one time keep their order: sort them first where it must not matter. O(N log N). Throws
/// ArgumentError.
GroupedEvents group_by_class(std::span<const Index> offsets, std::span<const double> times,
                             std::span<const Index> classes, Index count);

}  // namespace fovea::learning

#include "fovea/core/learning/class_events.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/learning/operations/shapes.hpp"

namespace fovea::learning {

GroupedEvents group_by_class(std::span<const Index> offsets, std::span<const double> times,
                             std::span<const Index> classes, Index count) {
  const auto events = static_cast<Index>(times.size());
  const Index sets = check_offsets("group_by_class", events, offsets);
  require(count >= 1, "group_by_class: there are ", count, " classes, but must be at least 1.");
  require(classes.size() == times.size(), "group_by_class: there are ", classes.size(), " classes for ", events,
          " events; each needs one.");
  GroupedEvents grouped{count, std::vector<Index>((sets * count) + 1), {}, {}};
  grouped.order.resize(times.size());
  std::iota(grouped.order.begin(), grouped.order.end(), Index{0});
  for (Index b = 0; b < sets; ++b) {
    const Index first = offsets[b], last = offsets[b + 1];
    for (Index i = first; i < last; ++i) {
      require(std::isfinite(times[i]), "group_by_class: the time of event ", i, " is not finite.");
      require(classes[i] >= 0 && classes[i] < count, "group_by_class: event ", i, " is of class ", classes[i],
              ", but must be in [0, ", count, ").");
      ++grouped.offsets[(b * count + classes[i]) + 1];
    }
    const auto key = [&](Index i) { return std::pair(classes[i], times[i]); };
    std::stable_sort(grouped.order.begin() + first, grouped.order.begin() + last,
                     [&](Index a, Index other) { return key(a) < key(other); });
  }
  std::partial_sum(grouped.offsets.begin(), grouped.offsets.end(), grouped.offsets.begin());
  for (const Index i : grouped.order) grouped.times.push_back(times[i]);
  return grouped;
}

}  // namespace fovea::learning

#include "fovea/core/attention/modifiers/parts/list_entries.hpp"

#include "fovea/core/base/error.hpp"

namespace fovea {

void check_lists(std::string_view who, const NeighbourLists& lists) {
  const auto& offsets = lists.offsets;
  const Index entries = static_cast<Index>(lists.keys.size());
  require(!offsets.empty() && offsets.front() == 0 && offsets.back() == entries, who, ": there are ", entries,
          " keys, but the offsets run from ", offsets.empty() ? 0 : offsets.front(), " to ",
          offsets.empty() ? 0 : offsets.back(), "; they must run from 0 to the number of keys.");
  require(lists.bias.empty() || lists.bias.size() == lists.keys.size(), who, ": there are ", entries, " keys but ",
          lists.bias.size(), " biases; give one for each key, or none.");
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    require(offsets[i] <= offsets[i + 1], who, ": the offsets fall from ", offsets[i], " to ", offsets[i + 1],
            " at query ", i, "; they must not fall.");
    for (Index e = offsets[i]; e < offsets[i + 1]; ++e) {
      const std::size_t at = e;
      require(lists.keys[at] >= 0 && (e == offsets[i] || lists.keys[at - 1] < lists.keys[at]), who,
              ": the keys of query ", i, " have ", lists.keys[at], " at place ", e - offsets[i],
              "; they must ascend from 0 or more, each once.");
    }
  }
}

void check_lists_fit(std::string_view who, const NeighbourLists& lists, const AttentionShape& shape) {
  const Index listed = static_cast<Index>(lists.offsets.size()) - 1;
  require(listed == shape.queries, who, ": there are lists for ", listed, " queries, but attend() got ", shape.queries,
          "; each query needs one, which may be empty.");
  for (const Index key : lists.keys)
    require(key < shape.keys, who, ": key ", key, " is listed, but attend() got ", shape.keys, " keys.");
}

}  // namespace fovea

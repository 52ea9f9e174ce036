#include "fovea/core/attention/packed_sets.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

void check_set_offsets(std::string_view who, std::string_view name, const std::vector<Index>& offsets) {
  require(offsets.front() == 0, who, ": ", name, "_offsets start at ", offsets.front(), ", but must start at 0.");
  for (std::size_t b = 1; b < offsets.size(); ++b)
    require(offsets[b - 1] <= offsets[b], who, ": ", name, "_offsets fall from ", offsets[b - 1], " to ", offsets[b],
            " at set ", b - 1, "; they must not fall.");
}

}  // namespace

Index PackedSets::set_of_query(Index row) const {
  const auto above = std::upper_bound(query_offsets.begin(), query_offsets.end(), row);
  return static_cast<Index>(above - query_offsets.begin()) - 1;
}

void check_sets(std::string_view who, const PackedSets& sets) {
  require(sets.query_offsets.size() == sets.key_offsets.size(), who, ": there are ", sets.query_offsets.size(),
          " query_offsets but ", sets.key_offsets.size(), " key_offsets; each set needs both.");
  require(sets.query_offsets.size() >= 2, who, ": there are ", sets.query_offsets.size(),
          " query_offsets, but one set needs two: 0 and its number of rows.");
  check_set_offsets(who, "query", sets.query_offsets);
  check_set_offsets(who, "key", sets.key_offsets);
}

void check_same_sets(std::string_view who, const PackedSets& sets, const AttentionShape& shape) {
  require(sets.all_queries() == shape.queries && sets.all_keys() == shape.keys, who, ": it was made for ",
          sets.all_queries(), " queries and ", sets.all_keys(), " keys, but attend() got ", shape.queries,
          " queries and ", shape.keys, " keys; both need the same rows.");
  const Index given = static_cast<Index>(shape.query_offsets.size()) - 1;
  require(sets.count() == given, who, ": it was made for ", sets.count(), " packed sets, but attend() got ", given,
          "; give both the same offsets.");
  for (Index set = 0; set < given; ++set) {
    const Index query = shape.query_offsets[set];
    const Index key = shape.key_offsets[set];
    require(sets.first_query(set) == query && sets.first_key(set) == key, who, ": it was made for a set ", set,
            " that starts at query ", sets.first_query(set), " and key ", sets.first_key(set),
            ", but that of attend() starts at query ", query, " and key ", key, "; give both the same offsets.");
  }
}

}  // namespace fovea

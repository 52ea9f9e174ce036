#pragma once
/// Packed sets, for modifiers that must know them before attend() does.

#include <string_view>
#include <vector>

#include "fovea/core/attention/tile.hpp"

namespace fovea {

/// As in AttentionSpec: set b has query rows [query_offsets[b], query_offsets[b + 1]), and keys likewise.
struct PackedSets {
  std::vector<Index> query_offsets, key_offsets;

  Index count() const { return static_cast<Index>(query_offsets.size()) - 1; }
  Index first_query(Index set) const { return query_offsets[set]; }
  Index first_key(Index set) const { return key_offsets[set]; }
  Index queries(Index set) const { return first_query(set + 1) - first_query(set); }
  Index keys(Index set) const { return first_key(set + 1) - first_key(set); }
  Index all_queries() const { return query_offsets.back(); }
  Index all_keys() const { return key_offsets.back(); }
  /// The set that a row of queries is in.
  Index set_of_query(Index row) const;
};

/// Throws ArgumentError unless the offsets are those of at least one set: both start at 0, none falls. who: for the
/// message.
void check_sets(std::string_view who, const PackedSets& sets);

/// Throws ArgumentError unless attend() got the very same sets.
void check_same_sets(std::string_view who, const PackedSets& sets, const AttentionShape& shape);

}  // namespace fovea

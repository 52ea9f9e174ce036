#pragma once
/// Weights recomputed tile by tile from what attend() kept of each row. Internal to core/attention.

#include <string_view>

#include "fovea/core/attention/engine/walk.hpp"

namespace fovea {

/// Turns row i of a tile of scores into weights, in place.
template <typename Real>
void weigh_row(const Problem<Real>& problem, const AttentionResult<Real>& forward, const ScoreTile<Real>& tile,
               Index i);

/// Calls visit(tile) for the tiles of a block, holding weights instead of scores.
template <typename Real, typename Visit>
void for_each_weight_tile(const PackedKeys<Real>& packed, const AttentionResult<Real>& forward, const RowBlock& block,
                          const Visit& visit) {
  for_each_tile(packed, block, [&](const ScoredTile<Real>& scored) {
    for (Index i = 0; i < scored.scores.query_count; ++i) weigh_row(packed.problem(), forward, scored.scores, i);
    visit(scored.scores);
  });
}

/// Some of the rows that a caller names, of one set and one after the other.
struct NamedRows {
  RowBlock block;
  Index place = 0;  ///< of the first among those named
};

/// The named rows, cut where they do not follow each other. rows: empty for all.
template <typename Real>
std::vector<NamedRows> named_rows(const Problem<Real>& problem, Index head, const std::vector<Index>& rows);

/// Throws unless the head is one of the spec's.
template <typename Real>
void check_head(std::string_view who, Index head, const AttentionSpec<Real>& spec);
/// Throws unless all rows are queries.
void check_rows(std::string_view who, const std::vector<Index>& rows, Index queries);

}  // namespace fovea

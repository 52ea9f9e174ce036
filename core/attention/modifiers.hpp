#pragma once
/// The modifiers there are: those that choose by position here, those that choose by geometry or pattern in
/// key_choices.hpp and grid_window.hpp, those that change scores in score_changes.hpp. Each has its own file in
/// modifiers/; the table is modifiers/table.inl.

#include <memory>

#include "fovea/core/attention/grid_window.hpp"
#include "fovea/core/attention/key_choices.hpp"
#include "fovea/core/attention/modifier.hpp"
#include "fovea/core/attention/score_changes.hpp"

namespace fovea {

/// A query at position i sees keys at positions j <= i of its set.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> causal();

/// A query at position i sees keys with |i - j| <= reach.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> window(Index reach);

/// A query sees its listed keys only (a graph). The work is O(listed pairs).
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> neighbour_list(NeighbourLists lists);
/// The same with lists that several share.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> neighbour_list(std::shared_ptr<const NeighbourLists> lists);

}  // namespace fovea

#pragma once
/// The modifiers there are. Each has its own file in modifiers/; the table is modifiers/table.inl.

#include <memory>

#include "fovea/core/attention/modifier.hpp"

namespace fovea {

/// s' = s / tau, theta = {log tau} or one for each head: a positive temperature for any theta.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> temperature(Sharing sharing = Sharing::all_heads);

/// A query at position i sees keys at positions j <= i of its set.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> causal();

/// A query at position i sees keys with |i - j| <= reach.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> window(Index reach);

/// A query sees its listed keys only (a graph). The work is O(listed pairs).
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> neighbour_list(NeighbourLists lists);

/// s' = s - rate |t_query - t_key|, theta = {log rate}: after the softmax a weight carries exp(-rate age);
/// half-life = ln 2 / rate. t_query (N), t_key (M): times of the rows, same unit.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> time_decay(Vector<Real> t_query, Vector<Real> t_key);

}  // namespace fovea

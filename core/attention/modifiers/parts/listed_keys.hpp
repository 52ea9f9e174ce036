#pragma once
/// A modifier that leaves each query the keys of a list that was made from something else. Internal to core/attention.

#include <memory>
#include <string_view>

#include "fovea/core/attention/modifier.hpp"
#include "fovea/core/attention/packed_sets.hpp"

namespace fovea {

/// who: the modifier's name, for messages. lists: one for each query of the sets, of keys of its set, ascending.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> listed_keys(std::string_view who, NeighbourLists lists, PackedSets sets);

}  // namespace fovea

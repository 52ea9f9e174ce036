#pragma once
/// Where the parameter of a head stands in theta. Internal to core/attention.

#include "fovea/core/attention/modifier.hpp"

namespace fovea {

inline Index count_of(Sharing sharing, Index heads) { return sharing == Sharing::per_head ? heads : 1; }

inline std::size_t place_of(Sharing sharing, const TileRange& range) {
  return sharing == Sharing::per_head ? range.head : 0;
}

}  // namespace fovea

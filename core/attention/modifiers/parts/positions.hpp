#pragma once
/// How far queries and keys stand apart in their set, |i - j|. Internal to core/attention.

#include <algorithm>

#include "fovea/core/attention/modifiers/parts/row_memory.hpp"
#include "fovea/core/attention/modifiers/parts/widest.hpp"
#include "fovea/core/attention/tile.hpp"

namespace fovea {

/// Where query i of the tile stands, counted from the tile's first key: whole numbers that are exact in any precision.
inline Index query_step(const TileRange& tile, Index i) { return tile.query_position(i) - tile.key_position(0); }

struct CountUp {
  template <typename Real>
  FOVEA_LOOP void operator()(Real* steps, Index count) const {
    const int end = static_cast<int>(count);  // a tile's keys: few
#pragma omp simd
    for (int j = 0; j < end; ++j) steps[j] = static_cast<Real>(j);
  }
};

/// Where the tile's keys stand, counted from the first of them.
template <typename Real>
const Real* key_steps(const TileRange& tile) {
  struct Steps;
  Real* steps = row_memory<Steps, Real>(tile.key_count);
  if (!tile.key_list) run_widest<CountUp>(steps, tile.key_count);
  for (Index j = 0; j < tile.key_count && tile.key_list; ++j) steps[j] = static_cast<Real>(tile.key(j) - tile.key(0));
  return steps;
}

/// No pair of the range is closer. Keys ascend, and so do queries.
inline Index least_distance(const TileRange& range) {
  const Index behind = query_step(range, 0) - (range.key_position(range.key_count - 1) - range.key_position(0));
  const Index ahead = -query_step(range, range.query_count - 1);
  return std::max({Index(0), behind, ahead});
}

}  // namespace fovea

#pragma once
/// Which states are written down, and that nothing is behind the rest.

#include <cstdint>
#include <vector>

#include "fovea/core/data/results.hpp"

namespace fovea::opinion::simulate {

/// About `states` steps (one more at most) from 0 to `steps`, both included: every step where there is room; else
/// evenly spaced, or
/// (`may_rest`) every step at first and then by a constant factor, because a crowd that comes to rest does so early.
std::vector<std::int64_t> recorded_steps(std::int64_t steps, std::int64_t states, bool may_rest);

/// Cuts "step" of everything behind the last of all points came to rest (steps_taken). Points of different grids stay.
void end_at_rest(Results& merged);

}  // namespace fovea::opinion::simulate

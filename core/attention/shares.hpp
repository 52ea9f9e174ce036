#pragma once
/// What the promise of the same bits costs, for measuring it.

namespace fovea {

/// For measuring what the same bits cost: false lets the backward pass of one thread add every share of dL/dq where it
/// belongs at once, in the order of the work, instead of apart and in the order of the keys. Nobody else sets it.
inline bool keeps_shares_apart = true;

}  // namespace fovea

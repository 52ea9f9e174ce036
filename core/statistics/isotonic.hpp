#pragma once
/// Isotonic regression: the best fit that never falls.

#include <span>
#include <vector>

namespace fovea {

/// The non-decreasing values closest to `values` in weighted squares, by pooling adjacent violators (Ayer, Brunk,
/// Ewing, Reid, Silverman 1955). weights: > 0, as many; empty: all 1. Throws ArgumentError.
std::vector<double> isotonic_fit(std::span<const double> values, std::span<const double> weights = {});

}  // namespace fovea

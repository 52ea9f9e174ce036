#pragma once
/// The keys near each query, as lists. Exact; the same for any number of threads, and for a set alone as among others.

#include <string_view>

#include "fovea/core/attention/modifier.hpp"
#include "fovea/core/attention/neighbours/coordinates.hpp"

namespace fovea {

/// The k keys nearest to each query within its set, or all where there are fewer; of equally distant ones those with
/// the lowest rows. include_self = false: query i does not get key i. O(N log M) time for coordinates in few
/// dimensions, O(N k) memory. k >= 1.
NeighbourLists nearest_keys(const CheckedCoordinates& coordinates, Index k, bool include_self = true);

/// The pairs of the same set with squared distance <= radius * radius: O(their number) memory.
NeighbourLists keys_within(const CheckedCoordinates& coordinates, double radius);

}  // namespace fovea

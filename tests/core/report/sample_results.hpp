#pragma once
/// Made-up results with the shapes that a sweep of an opinion model has: two branches over temperature with a loop,
/// replicas, densities, attention, a small network.

#include "fovea/core/data/results.hpp"

namespace fovea {

/// branches 2 x seeds x temperatures; attention is agents x agents; the network has 34 nodes.
Results sample_results(std::size_t seeds, std::size_t temperatures, std::size_t agents);

/// Links between five series: a matrix with labels, a directed network with windows, a profile with a null band.
Results sample_links();

}  // namespace fovea

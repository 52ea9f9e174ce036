#pragma once
/// The points of a sweep as a table: what the page shows, and the result file need not keep.

#include "fovea/core/data/results.hpp"

namespace fovea {

/// The same results with a table of the sweep's points behind their figures: the swept keys, how many seeds finished,
/// each headline with its error, and the state. Of a sweep over seeds alone each seed is a point. What is no sweep, or
/// one point, stays as it is.
Results with_sweep_points(Results results);
/// The data of such results as they were before.
Dataset without_sweep_points(Dataset data);

}  // namespace fovea

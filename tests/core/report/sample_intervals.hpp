#pragma once
/// Half-lives of made measurements, as named intervals worth looking at.

#include "fovea/core/data/results.hpp"

namespace fovea {

/// 24 rows of 4 groups on a logarithmic axis, in hours: two intervals that are open above, one below, one row not
/// measured, a very long name, two further marks in each row and a reference in some; of `seeds` seeds.
Results sample_intervals(std::size_t seeds = 1);

}  // namespace fovea

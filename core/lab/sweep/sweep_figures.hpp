#pragma once
/// The figures of a sweep, from its axes alone: each headline against what was swept, whatever the experiment.

#include <string>
#include <vector>

#include "fovea/core/lab/sweep.hpp"

namespace fovea {

/// A check as it stood in the points: one value for each, NaN where a point has no such check.
struct SweptCheck {
  std::string name;
  std::vector<double> predicted, measured;
};

/// Adds the checks of one of so many points, before their names got the places of the points.
void add_checks(std::vector<SweptCheck>& checks, const Results& results, std::size_t point, std::size_t points);

/// Adds a figure for each headline that varies over swept keys of numbers; seeds are averaged, with their standard
/// error.
///
///   one key    lines over it, one for each value of the first swept key of words or flags
///   two keys   lines over the one with most values, one for each of up to 6 values of the other; beyond that a heat
///   map
///              with the contours of the prediction
///   further    sliders
///
/// The prediction is the headline's own or, where a check of every point measured just the headline, that check's,
/// which becomes VARIABLE_by_check. finished: of each point; where it is 0 a cross stands, from the variable
/// sweep_failed. The figures come first, unless the experiment draws figures over the swept keys itself.
void add_sweep_figures(const Sweep& sweep, const std::vector<char>& finished, const std::vector<SweptCheck>& checks,
                       Results& merged);

}  // namespace fovea

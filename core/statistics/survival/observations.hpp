#pragma once
/// What the estimators of survival/ share: observations in the order of time. Internal to core/statistics.

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// All that happens at one time.
struct SurvivalTime {
  double time = 0;
  Index at_risk = 0;
  Index censored = 0;
  std::vector<Index> ended;  ///< by end: ends 1 .. K in [0, K)
  Index ended_all() const;
};

/// ends (N): 0 where censored, else which of the `count` ends, from 1 on. Ascending. Throws ArgumentError.
std::vector<SurvivalTime> times_of_ends(const char* who, std::span<const double> times, std::span<const Index> ends,
                                        Index count);

}  // namespace fovea

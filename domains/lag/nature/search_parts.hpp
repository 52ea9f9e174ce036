#pragma once
/// What the parts of CourseSearch share. Internal to the search.

#include <algorithm>
#include <cmath>

#include "fovea/domains/lag/nature/calendar.hpp"

namespace fovea::lag::nature {

constexpr double kNotable = 6;  ///< evidence below which a series says little: 5 % of waves have it by chance
/// Of the rows: independent frequencies in a search over all, half of the rows and half as many again between them.
constexpr double kFrequencies = 0.75;
constexpr double kFewestCycles = 1.2;  ///< in the rows: a slower wave cannot be told from a trend

/// Two p-values of the same thing.
inline double of_both(double one, double other) { return std::min(1.0, 2 * std::min(one, other)); }

/// Of candidates of different kinds the one with more of it goes first.
inline double support_of(const Vector<double>& evidence, double penalty, double together) {
  return std::max((evidence.array() - penalty).max(0.0).sum(), together);
}

/// The harmonics of a period that the steps can follow.
inline Index harmonics_in(const Period& period) {
  constexpr double kMostHarmonics = 84;  // of a week of hours: any shape of it
  return static_cast<Index>(std::min(kMostHarmonics, std::floor(period.steps / 2 + 1e-9)));
}

inline bool whole(double period) { return std::fabs(period - std::round(period)) < 1e-9; }

}  // namespace fovea::lag::nature

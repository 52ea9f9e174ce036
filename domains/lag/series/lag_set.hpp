#pragma once
/// Which lags are looked at.

#include <string>
#include <string_view>
#include <vector>

#include "fovea/datasets/series/series.hpp"

namespace fovea::lag::series {

/// "1-5,10,30" as 1, 2, 3, 4, 5, 10, 30: whole numbers >= 1 and ranges of them, separated by commas, in any order; each
/// is kept once. Throws ArgumentError that says which piece is none.
std::vector<Index> lag_set(std::string_view text);

/// The same backwards, ranges where three or more follow one another.
std::string lag_set_text(const std::vector<Index>& lags);

}  // namespace fovea::lag::series

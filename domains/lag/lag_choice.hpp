#pragma once
/// The largest lag where nobody gives one.

#include <string>
#include <vector>

#include "fovea/datasets/series.hpp"

namespace fovea::lag {

/// The lags 1 to L, and a sentence for the reader about L.
std::vector<Index> chosen_lags(const SeriesTable& table, std::vector<std::string>& notes);

}  // namespace fovea::lag

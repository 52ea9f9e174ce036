#pragma once
/// How far back to look, from the data.

#include <string>
#include <vector>

#include "fovea/datasets/series.hpp"

namespace fovea::lag {

struct LagChoice {
  std::vector<Index> lags;  ///< 1, 2, ..., the longest looked at
  std::string reason;       ///< one sentence for the reader
};

LagChoice choose_lags(const SeriesTable& table, double level = 0.05);

}  // namespace fovea::lag

#pragma once
/// Tables and settings for tests of the search for links.

#include <string>
#include <utility>

#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::small {

/// Series V0, V1, ... of one recording.
inline datasets::series::SeriesTable table_of(Matrix<double> values) {
  datasets::series::SeriesTable table;
  for (Index i = 0; i < values.cols(); ++i) table.names.push_back("V" + std::to_string(i));
  table.values = std::move(values);
  return table;
}

inline methods::LagSettings lags_up_to(Index longest, bool contemporaneous = true) {
  methods::LagSettings settings;
  for (Index lag = 1; lag <= longest; ++lag) settings.lags.push_back(lag);
  settings.contemporaneous = contemporaneous;
  return settings;
}

}  // namespace fovea::lag::small

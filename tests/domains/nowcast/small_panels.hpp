#pragma once
/// Panels and series that tests write down by hand.

#include <string>
#include <utility>
#include <vector>

#include "fovea/domains/nowcast/series/known_series.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::nowcast {

inline constexpr Index kBegin = 12 * 1990;  ///< 1990-01

inline datasets::panels::MonthlyPanel panel_of(const std::vector<std::pair<std::string, std::vector<double>>>& series) {
  datasets::panels::MonthlyPanel panel{"folder/p.csv", kBegin, {}};
  for (const auto& [name, values] : series) panel.series.push_back({name, 1, values});
  return panel;
}

inline std::vector<KnownSeries> known_of(const std::vector<std::pair<std::string, std::vector<double>>>& series,
                                         const SeriesSettings& settings = {}) {
  std::vector<std::string> ignored;
  return known_series(panel_of(series), settings, ignored);
}

/// n values of a line that begins at `start`.
inline std::vector<double> line_of(Index n, double start, double step = 0) {
  std::vector<double> values;
  for (Index i = 0; i < n; ++i) values.push_back(start + step * static_cast<double>(i));
  return values;
}

}  // namespace fovea::nowcast

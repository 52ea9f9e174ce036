#pragma once
/// What `lags` says of the file it read, beside the result.

#include <string>
#include <vector>

#include "fovea/core/base/missing.hpp"
#include "fovea/datasets/series/file.hpp"

namespace fovea::lag::door {

struct SeriesFacts {
  std::string name, group;  ///< group: of curves with moments of their own; empty where the file has one
  std::string unit;         ///< what stands in square brackets at the end of the name, as in "level [m]"; else empty
  Index rows = 0;           ///< rows of the table, or points of a curve
  Index missing = 0;        ///< rows without a value
  double least = kNan, middle = kNan, most = kNan;  ///< of the values; middle: their median
};

struct FileFacts {
  Index rows = 0;        ///< steps of the table, those that are missing included; points of all curves
  double step = 0;       ///< time between rows, in unit; 0 where times are uneven
  std::string unit;      ///< of the times; empty: not known
  Index recordings = 1;  ///< that no lag crosses; groups of curves
  std::vector<SeriesFacts> series;
};

/// As the file has them: differences (data.difference) are taken later.
FileFacts facts_of(const datasets::series::SeriesFile& file);

}  // namespace fovea::lag::door

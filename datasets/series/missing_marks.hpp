#pragma once
/// Numbers that stand for a missing value, such as -999: named by who asks, or suspected.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fovea/datasets/series/file.hpp"

namespace fovea::datasets::series {

/// The options' numbers. Throws DataError for a word that is none, and for "none" together with numbers.
std::vector<double> missing_marks(const std::string& path, const SeriesFileOptions& options);

/// A number that people write where nothing was measured: 9, 99, 999, ... of either sign, perhaps with a decimal 9 or
/// a 0, 1e20 and so on, and the fill values of netCDF.
bool is_usual_mark(double value);

struct SuspectedMark {
  double value = 0;
  std::size_t count = 0;
  double low = 0, high = 0;  ///< of the other values
};
/// A usual mark, or the least or largest value where it stands there three times or more, that is farther from all
/// other values than these are from each other, twice over. NaNs are none.
std::optional<SuspectedMark> suspected_mark(std::span<const double> values);

/// Throws DataError that names the series, the value and the ways out, unless the options say what is missing.
void refuse_suspected_mark(const std::string& path, const std::string& name, std::span<const double> values,
                           const SeriesFileOptions& options);

}  // namespace fovea::datasets::series

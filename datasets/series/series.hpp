#pragma once
/// Time series as the readers hand them on: sampled together at even steps, or each at moments of its own.

#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::datasets::series {

/// Series that were sampled together at even steps.
struct SeriesTable {
  std::vector<std::string> names;             ///< one a series, unique
  Matrix<double> values;                      ///< steps x series; NaN where nothing was measured, never infinite
  double step = 1;                            ///< time between rows, > 0, in time_unit
  std::string time_unit;                      ///< empty: steps
  std::vector<Index> recording_starts = {0};  ///< first row of each recording, ascending, the first 0: no lag reaches
                                              ///< from one recording into another
  std::vector<double> dates = {};             ///< days since 1970-01-01 of each row; empty: rows have no dates
  std::vector<Index> increments = {};         ///< series that were running totals: what each step adds
  std::vector<Index> parts = {};              ///< series that summed to a constant with one that is left out
  Index steps() const { return values.rows(); }
  Index series() const { return values.cols(); }
};

/// "1 day", "3 days", "1.5 ms", "2 steps" (no unit).
std::string time_text(double time, const std::string& unit);

/// One series with moments of its own, such as a light curve.
struct Curve {
  std::string name;
  std::vector<double> time;   ///< ascending
  std::vector<double> value;  ///< finite, as many as times
  std::vector<double> error;  ///< standard error of each value, >= 0, as many as times; 0 where none is known
};

/// Curves that belong together: the drivers and responses of one object or experiment.
struct CurveGroup {
  std::string name;  ///< empty where the file has one group
  std::vector<Curve> curves;
};

}  // namespace fovea::datasets::series

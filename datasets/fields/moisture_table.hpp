#pragma once
/// A table of live fuel moisture: rows of a few months of numbers, measured at sites.
///
/// HDF5: `x` [row, month, band] with the attribute `bands` (VV and VH in dB; B2, B3, ... 10,000 times the reflectance;
/// any others, such as temperature_2m or elevation); either sensor may be absent, NaN is missing. If there: `y` [row]
/// moisture in per cent of dry mass, `month` [row, month] of the year, 0 to 11, `dynamic_world` [row, month], a class
/// of land cover, 0 to 8 (Brown et al. 2022), `latlon` [row, 2] in degrees, `site` [row] (texts), `is_test` [row] (0 or
/// 1), `row` [row], the names of the rows.

#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::datasets::fields {

/// Classes of land cover of Dynamic World, in the order of their numbers.
extern const std::vector<std::string> kLandCovers;

/// What is not in the file is empty; a number that is missing is NaN.
struct MoistureTable {
  std::vector<std::string> bands;
  Index months = 0;              ///< of a row
  Matrix<double> values;         ///< (rows * months) x bands, rows one after the other, in the units of the file
  Matrix<double> month, covers;  ///< rows x months
  Matrix<double> places;         ///< rows x 2: latitude, longitude
  std::vector<std::string> ids;  ///< one a row; of their places where the file names none
  std::vector<std::string> sites;
  std::vector<double> moisture;
  std::vector<Index> is_test;
  std::vector<std::string> left_out = {};  ///< the first fault of each row that is left out
  Index count() const { return static_cast<Index>(ids.size()); }
};

/// B2, B8A, ...: a band of optics.
bool is_optical_band(const std::string& band);

/// leave_out_bad: a row with a number that cannot be, or with numbers of neither sensor in any month, is left out; else
/// the first is refused. Throws DataError with file, array and rule, also for backscatter or reflectances that are of
/// another unit.
MoistureTable read_moisture_table(const std::string& path, bool leave_out_bad = false);

}  // namespace fovea::datasets::fields

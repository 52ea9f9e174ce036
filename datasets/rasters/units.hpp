#pragma once
/// In which units a sensor's numbers are, told by their quantiles.

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fovea::datasets::rasters {

/// SAR backscatter: 10 log10 of the linear power.
enum class SarUnit { db, linear };
/// Optical: 10000 x reflectance, reflectance 0..1, and 10000 x reflectance + 1000 (processing baseline 04.00 and
/// later).
enum class OpticalUnit { numbers, reflectance, offset_numbers };
const char* name_of(SarUnit unit);      ///< "db", "linear": the words of data.units
const char* name_of(OpticalUnit unit);  ///< "numbers", "reflectance", "offset"

/// dB if the median is below 0 and nothing is below -100; linear if nothing is below 0 and 99 of 100 are at most 20.
/// values: in any order, without NaN. Nothing if it cannot be told.
std::optional<SarUnit> sar_unit(std::vector<float> values);
/// bands: valid values of each band at the same pixels. Reflectance if 99 of 100 are at most 2; with offset if in each
/// band 999 of 1000 are at least 900 (without it cirrus, water or shadow are darker); else numbers.
std::optional<OpticalUnit> optical_unit(std::vector<std::vector<float>> bands);

/// The value in another unit; NaN for the dB of nothing.
float converted(float value, SarUnit from, SarUnit to);
float converted(float value, OpticalUnit from, OpticalUnit to);

}  // namespace fovea::datasets::rasters

#pragma once
/// Loops over the numbers of rasters, compiled into vectors. They give the same bits as their plain twins.
/// Internal to datasets/rasters.

#include <optional>
#include <vector>

#include "fovea/datasets/rasters/raster.hpp"

namespace fovea::datasets::rasters {

/// What turns a stored number into what it means.
struct Meaning {
  bool as_stored = true;
  double scale = 1, offset = 0;
  std::optional<double> missing;
};

/// Stored numbers, `step` bytes apart, as numbers. As meant: scale x + offset; NaN where a number is the missing one or
/// is not finite. Number: float or double.
template <typename Number>
void take_numbers(SampleType type, const char* from, std::size_t step, Index count, const Meaning& meaning, Number* to);

/// The other way: numbers side by side as they are stored, NaN as `missing`. ArgumentError for what does not fit.
/// Number: float, double or std::int32_t.
template <typename Number>
void store_numbers(SampleType type, const Number* from, Index count, const std::optional<double>& missing, char* to);

/// Numbers that a band may have, and from where on to 0 it is dark.
struct Possible {
  float low, high, least_dark;
};
/// Whether something is shown: valid loses the pixels where a band is NaN or not possible, dark those where it is not
/// dark.
void mark_pixels(const float* band, Index count, const Possible& possible, std::uint8_t* valid, std::uint8_t* dark);

/// TIFF's predictor 2 on a row of whole numbers of `each` bytes: differences of neighbours. In place.
void take_differences(char* row, Index columns, std::size_t each);

/// TIFF's predictor 3 on a row of reals of 4 or 8 bytes: their bytes by weight, the most significant first, then
/// differences (Adobe, Photoshop TIFF Technical Note 3, 2005). In place; copy: used again.
void take_differences_of_reals(char* row, Index columns, std::size_t each, std::vector<char>& copy);

}  // namespace fovea::datasets::rasters

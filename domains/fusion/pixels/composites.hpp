#pragma once
/// A stack of dates, thinned to one image for each sensor and window of time.
///
/// Windows lie end to end from 1 January of the year in which the middle of the stack lies, so that a model learned in
/// one year serves another. Of S2 each band is the median of the clear dates of the window, of S1 the mean intensity;
/// a pixel that no date of the window shows is missing. A median is hardly moved by a cloud that the scene classes
/// missed, a mean of intensities has less speckle (Lee & Pottier 2009, section 4).

#include <functional>
#include <string>
#include <vector>

#include "fovea/datasets/rasters/stacks.hpp"
#include "fovea/datasets/simulated/stacks/clouded_stack.hpp"

namespace fovea::fusion::pixels {

/// The images of one sensor on one grid, date by date.
struct DatedImages {
  std::vector<std::string> bands;
  std::vector<double> days;                   ///< since 1970, not falling
  std::function<Matrix<float>(Index)> image;  ///< [pixels x bands] of a date: intensity, reflectance; NaN: missing
};

/// Pixels row by row, a matrix [pixels x bands] for each window; NaN: missing.
struct Composites {
  std::string source;  ///< for messages
  Index rows = 0, columns = 0;
  std::vector<double> days;                     ///< middle of each window, since 1 January
  std::vector<std::string> s1_bands, s2_bands;  ///< VV, VH; none where the sensor is missing
  std::vector<Matrix<float>> s1, s2;            ///< intensity; reflectance
  std::vector<std::string> notes = {};          ///< what was assumed of the stack
  std::vector<std::string> left_out = {};       ///< dates that cannot be read
  std::string s2_known_by = {};                 ///< how the unit of S2 is known; empty: simulated
  Index pixels() const { return rows * columns; }
};

/// step: length of a window, days > 0. Throws DataError: no date, S1 that is not VV and VH in dB, S2 that is not stored
/// as 10000 x reflectance, grids that do not fit.
Composites composites(const datasets::rasters::Stack& file, double step);
Composites composites(const datasets::simulated::stacks::CloudedStackPlan& plan,
                      const datasets::simulated::stacks::CloudedStack& made, double step);

/// The mean over the square of `side` pixels (odd) about a pixel, of what is there, in one band of an image.
double mean_about(const Composites& stack, const Matrix<float>& image, Index row, Index column, Index band, Index side);

}  // namespace fovea::fusion::pixels

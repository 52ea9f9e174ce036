#pragma once
/// A series of optical images on one grid with its clouds, and the radar's images on the same grid, all in memory.

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/core/base/place.hpp"
#include "fovea/datasets/rasters/stacks.hpp"
#include "fovea/datasets/simulated/stacks/clouded_stack.hpp"

namespace fovea::fusion::gapfill {

using Flags = std::vector<std::uint8_t>;

/// Pixels row by row.
struct ImageStack {
  std::string source;  ///< for messages
  Index rows = 0, columns = 0;
  std::vector<std::string> bands;
  std::vector<double> days;           ///< of the optical dates, since 1970
  std::vector<Matrix<float>> images;  ///< reflectances [pixels x bands]; NaN where there is no number
  std::vector<Flags> clear;           ///< of each date and pixel: all bands are there, and no cloud or shadow
  std::vector<Flags> cloudy;          ///< the scene class tells of a cloud, a shadow or nothing
  std::vector<std::string> s1_bands;  ///< none: no radar
  std::vector<double> s1_days;
  std::vector<Matrix<float>> s1;      ///< linear intensity [pixels x bands]; NaN where there is none
  std::vector<Matrix<float>> ground;  ///< simulated: what is true below the clouds; else none
  std::vector<std::string> left_out;  ///< dates that cannot be read: they have no number

  Index dates() const { return std::ssize(days); }
  Index pixels() const { return rows * columns; }
  double clear_share(Index date) const;
  std::string date_text(Index date) const;  ///< "2018-06-27"
};

/// A pixel is clear where its scene class is 4, 5, 6 or 7 and no band is 0. Bands of coarser grids are repeated; their
/// sides must be those of the finest by a whole factor. Throws DataError: no optical bands, no scene classes, a grid
/// that does not fit, reflectances that are not 10000 x, no clear pixel.
ImageStack image_stack(const datasets::rasters::Stack& file);
ImageStack image_stack(const datasets::simulated::stacks::CloudedStackPlan& plan,
                       datasets::simulated::stacks::CloudedStack made);

}  // namespace fovea::fusion::gapfill

#pragma once
/// By what pixels are alike: the columns that queries and keys are compared by.

#include <string>
#include <vector>

#include "fovea/domains/fusion/gapfill/gaps.hpp"

namespace fovea::fusion::gapfill {

/// Which columns there are: each band before and after the date; S1 around the date, and in equal parts of the whole
/// series (seasons), in dB, of 3 x 3 pixels; row and column.
struct ColumnPlan {
  std::vector<std::string> bands, s1_bands;
  Index seasons = 6;
  double near_days = 8;  ///< S1 within so many days of the date; without one the nearest

  Index count() const;
  std::vector<std::string> names() const;  ///< "before B08", "S1 VV", "season 1 VV", "row"
  /// Which kind each is: 0 before, 1 after, 2 S1, 3 seasons, 4 place.
  std::vector<Index> kinds() const;
};

/// S1 of the seasons, which are the same for all dates: [pixels x (seasons bands)] dB; 0 columns where stack has none.
Matrix<float> season_columns(const ImageStack& stack, const ColumnPlan& plan);

/// [pixels x columns]: each with mean 0 and variance 1 over the known pixels, what is missing 0, also all of S1 where
/// the stack has none; row and column from the middle of the image, in units of 20 pixels.
/// `seasons`: what season_columns() gave.
Matrix<float> gap_columns(const ImageStack& stack, const ColumnPlan& plan, const Matrix<float>& seasons, Index date,
                          const Frame& frame);

}  // namespace fovea::fusion::gapfill

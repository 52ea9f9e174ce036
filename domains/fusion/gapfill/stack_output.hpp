#pragma once
/// A stack of dates with its gaps filled, in its own layout.

#include <string>
#include <vector>

#include "fovea/domains/fusion/gapfill/gap_model.hpp"

namespace fovea::fusion::gapfill {

/// Writes a copy of the stack in which every gap of s2/r10m and s2/r20m is filled that some date shows, all else being
/// unchanged, with two arrays more:
///   s2/filled  [t, y, x]        0 seen, 1 filled, 2 a gap that no date shows
///   s2/spread  [t, band, y, x]  deviation of what was filled, 10000 x reflectance; 0 where it was seen, NaN where
///   nothing
/// both on the finest grid, bands those of r10m, then of r20m. A pixel is a gap where its scene class is not 4 to 7 or
/// a band of its array is 0; of a coarser array it is one where all of its pixels on the finest grid are. rasters: also
/// STEM_DATE_NUMBER.tif (uint16, 10000 x reflectance, no data 0) beside the output for each date. Returns sentences
/// about the stack. Throws DataError: bands that the model did not learn, what image_stack() and
/// write_edited_copy() refuse; StorageError.
std::vector<std::string> write_filled_stack(const GapModel& model, const std::string& path, const std::string& output,
                                            bool rasters);

}  // namespace fovea::fusion::gapfill

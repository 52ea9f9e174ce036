#pragma once
/// The dates of a stack as GeoTIFFs.

#include <string>

namespace fovea::fusion::gapfill {

/// STEM_DATE_NUMBER.tif beside the stack for each optical date, its bands on the finest grid: uint16, 10000 x
/// reflectance, no data 0. The place on the Earth is that of the arrays x and y (pixel centres) and the attribute crs
/// ("EPSG:32631"); without them there is none. Throws DataError, StorageError.
void write_stack_rasters(const std::string& path);

}  // namespace fovea::fusion::gapfill

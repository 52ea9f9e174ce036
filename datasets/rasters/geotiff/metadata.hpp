#pragma once
/// GDAL's own tags in a TIFF: names, scales and offsets of bands as XML. Internal to datasets/rasters.

#include <string>
#include <string_view>
#include <vector>

#include "fovea/datasets/rasters/raster.hpp"

namespace fovea::datasets::rasters::geotiff {

/// Fills in what GDAL_METADATA says of each band. Returns "" or why a part of it is not understood.
std::string read_metadata(std::string_view xml, std::vector<BandFacts>& bands);

/// GDAL_METADATA with the names, scales and offsets of bands; "" where there is nothing to say.
std::string metadata_of(const std::vector<BandFacts>& bands);

}  // namespace fovea::datasets::rasters::geotiff

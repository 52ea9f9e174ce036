#pragma once
/// A tile of numbers as DEFLATE packs it, with the predictor that suits the numbers. Internal to datasets/rasters.

#include <string>
#include <vector>

#include "fovea/datasets/rasters/raster.hpp"

namespace fovea::datasets::rasters::geotiff {

/// 1: none, 2: differences of neighbours in a row, 3: the same of the bytes of reals, most significant first.
int predictor_of(SampleType type);

/// The numbers of a tile, row by row (they are changed), packed.
std::string packed_tile(std::vector<char>& numbers, SampleType type, Index columns);

}  // namespace fovea::datasets::rasters::geotiff

#pragma once
/// From an image and a mask of files to the region that features describe (manual, 2): resampling, rounding, range,
/// outliers, levels. Range and outliers change the intensity mask, never the morphological mask.

#include "fovea/datasets/images/images.hpp"
#include "fovea/domains/imaging/radiomics/settings.hpp"

namespace fovea::imaging::radiomics {

/// Throws DataError, which starts with the image's path: an intensity in the mask that is not finite, no voxel left by
/// the range, levels that are not (region.hpp) or are more than kMostLevels, grids that are too large.
/// image and mask lie on the same grid.
Region processed(const datasets::images::Volume& image, const datasets::images::Mask& mask, const Settings& settings);

}  // namespace fovea::imaging::radiomics

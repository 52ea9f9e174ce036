#pragma once
/// Where two images meet: in the world, not by the order in which their voxels stand in files.

#include <string>

#include "fovea/datasets/images/images.hpp"

namespace fovea::datasets::images {

/// The largest distance, in voxels of the first, between a corner of the first grid and the same corner of the second
/// up to which both are the same grid.
inline constexpr double kSameGrid = 0.01;
bool same_grid(const Grid& first, const Grid& second);

/// The axes' directions, x first: "LPS" for an x that runs to the left; the nearest ones for an oblique grid.
std::string axes_of(const Grid& grid);

/// The second image on the grid of the first: itself on the same grid, else resampled trilinearly, NaN outside of its
/// field and beside its missing voxels, which its notes report with the share of the first that it covers. The field
/// ends half a voxel beyond the outer centres. Throws DataError where the two do not overlap.
Volume brought_onto(const Volume& first, Volume second);

/// The mask in the order of the image's voxels. Its voxels must be those of the image in the world; they may stand in
/// another order, mirrored or with exchanged axes. Throws DataError for other sizes, spacings or places.
Mask mask_on(const Volume& image, Mask mask);

}  // namespace fovea::datasets::images

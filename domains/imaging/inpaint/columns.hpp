#pragma once
/// By what a missing voxel and known ones are compared.

#include "fovea/domains/imaging/inpaint/guesses.hpp"

namespace fovea::imaging::inpaint {

/// Groups of columns, each with a width of its own; contexts follow, one group each.
enum ColumnGroup : Index { own_slice, neighbour_slices, between_guesses, place, depth, level, first_context };

/// Which group each column is of.
std::vector<Index> column_groups(Index contexts);

/// The columns of some voxels of a patch, whose unknown ones hold the mixture of the guesses: [voxels x columns].
/// With m the mixture at the voxel: 3 x 3 voxels less m in its slice and in those next to it, the guesses less m, the
/// place, the steps to the next known voxel, m itself, and 3 x 3 voxels of each context, 0 where it shows nothing.
Matrix<float> columns_of(const Picture& picture, const Patch& patch, const std::vector<Place>& voxels,
                         const Matrix<double>& guesses, const std::vector<Index>& depths);

/// The columns that are compared as they stand (place, steps) stay; each other group gets a mean square of 1 over the
/// rows in all its columns together.
std::vector<double> column_scales(const Matrix<float>& columns, const std::vector<Index>& groups);

}  // namespace fovea::imaging::inpaint

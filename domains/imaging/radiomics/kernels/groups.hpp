#pragma once
/// Which counts are put together into one matrix, for each variant, and means over the matrices.

#include <optional>
#include <span>

#include "fovea/domains/imaging/radiomics/families.hpp"

namespace fovea::imaging::radiomics {

/// Voxels of the intensity mask whose counts come into one matrix.
struct Group {
  std::span<const Index> voxels;
  bool flat = false;              ///< neighbours in the slice alone
  std::vector<Index> directions;  ///< steps from a voxel to the next; for families with directions
};

std::vector<Group> groups(const Region& region, Variant variant);

/// Steps to all neighbours, 8 or 26; the first half are the directions, the second half their opposites.
std::vector<Index> neighbour_steps(const Region& region, bool flat);

/// The features of one matrix; none where it has no counts.
using MatrixFeatures = std::optional<std::vector<double>> (*)(const Region& region, const Group& group);

/// The mean over the groups of a variant; `count` NaN where no group has any.
std::vector<double> mean_over_groups(const Region& region, Variant variant, std::size_t count, MatrixFeatures features);

}  // namespace fovea::imaging::radiomics

#pragma once
/// What smoothness alone states of a hole.
///
/// Along z: linear between the known slices, and the cubic through the two nearest on each side. In all dimensions:
/// harmonic, the u that minimises sum w (u_i - u_j)^2 over neighbouring voxels, and biharmonic, that which minimises
/// the sum of (sum_axes w (u_(i-1) - 2 u_i + u_(i+1)))^2, both with unit weights in the slice and two weights w across;
/// and harmonic with (u_i - mean of the surroundings)^2 / 64 added for each missing voxel, whose influence ends after
/// some 8 voxels.

#include <array>
#include <span>

#include "fovea/domains/imaging/inpaint/picture.hpp"

namespace fovea::imaging::inpaint {

inline constexpr std::array<const char*, 7> kGuesses{
    "linear between slices",     "cubic between slices",    "harmonic",
    "harmonic, across x 3",      "biharmonic, across x .3", "biharmonic",
    "harmonic, towards the mean"};
inline constexpr Index kGuessCount = std::ssize(kGuesses);

/// A box of the picture in which some voxels are unknown.
struct Patch {
  Box box;
  std::vector<double> values;         ///< 0 where unknown
  std::vector<std::uint8_t> unknown;  ///< 1: to be guessed
};

/// The guesses of the unknown voxels in their order: [unknown x kGuessCount]. At least one voxel must be known.
Matrix<double> guesses_of(const Patch& patch);

/// How many steps each voxel of the patch is from a known one: 0 where it is known.
std::vector<Index> depths_of(const Patch& patch);

}  // namespace fovea::imaging::inpaint

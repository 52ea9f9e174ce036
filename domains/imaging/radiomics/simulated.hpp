#pragma once
/// Simulated lesions, for questions whose answer a real image cannot give: the same lesion measured twice.

#include "fovea/core/base/random.hpp"
#include "fovea/domains/imaging/radiomics/processing.hpp"

namespace fovea::imaging::radiomics {

struct Lesion {
  datasets::images::Volume image;
  datasets::images::Mask mask;
};

/// How one measurement differs from another.
struct Measurement {
  double noise = 0;                      ///< sd of each voxel's noise, HU
  double contour = 0;                    ///< mm by which the contour lies outside of the lesion
  std::array<double, 3> shift{0, 0, 0};  ///< mm of the grid
};

/// A lesion on a grid of cubes of `spacing` mm. `lesion` decides what it is: half axes of 6 to 18 mm, a surface with
/// bumps, a mean of 20 to 80 HU with a texture of 10 to 40 HU sd and a length of 4 to 12 mm, in tissue of -60 HU.
/// A voxel at the surface is in part lesion. Texture and bumps are sums of waves of random directions and phases.
Lesion simulated_lesion(const Random& lesion, const Measurement& measurement, double spacing, const Random& noise);

}  // namespace fovea::imaging::radiomics

#pragma once
/// A ball-like mask with gaps in an image of smooth and rough parts, for tests.

#include <cmath>

#include "fovea/core/base/random.hpp"
#include "fovea/datasets/images/images.hpp"

namespace fovea::imaging::radiomics {

struct SimulatedImage {
  datasets::images::Volume image;
  datasets::images::Mask mask;
};

/// Whole numbers from about -60 to 160; a tenth of the ball is no part of the mask.
inline SimulatedImage simulated_image(std::array<Index, 3> size, std::array<double, 3> spacing, std::uint64_t seed) {
  const Random random(seed);
  SimulatedImage made;
  made.image.path = "simulated.nii";
  made.image.grid.size = size;
  made.image.grid.spacing = spacing;
  made.mask.grid = made.image.grid;
  for (Index z = 0; z < size[2]; ++z)
    for (Index y = 0; y < size[1]; ++y)
      for (Index x = 0; x < size[0]; ++x) {
        const auto voxel = static_cast<std::uint64_t>(made.image.values.size());
        const double smooth = std::sin(0.4 * double(x)) + std::cos(0.3 * double(y) - 0.2 * double(z));
        made.image.values.push_back(std::floor(50 + 40 * smooth + 8 * random.normal(voxel)));
        double squared = 0;
        for (const auto& [at, count] : {std::pair(x, size[0]), std::pair(y, size[1]), std::pair(z, size[2])})
          squared += std::pow((2.0 * double(at) + 1 - double(count)) / (double(count) - 4), 2);
        made.mask.inside.push_back(squared < 1 && random.uniform(voxel, 1) > 0.1 ? 1 : 0);
        made.mask.count += made.mask.inside.back();
      }
  return made;
}

}  // namespace fovea::imaging::radiomics

#pragma once
/// An image with holes, as it is filled: numbers, which of them are missing, and other images of the same voxels.

#include <array>
#include <cstdint>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::imaging::inpaint {

using Place = std::array<Index, 3>;  ///< x, y, z

struct Picture {
  Place size{1, 1, 1};
  std::vector<double> values;                 ///< [z, y, x]; finite where nothing is missing, elsewhere never read
  std::vector<std::uint8_t> missing;          ///< 1: a hole
  std::vector<std::vector<double>> contexts;  ///< other images of the same voxels, NaN where they show nothing

  Index voxels() const { return size[0] * size[1] * size[2]; }
  Index at(Index x, Index y, Index z) const { return (z * size[1] + y) * size[0] + x; }
  Index at(const Place& p) const { return at(p[0], p[1], p[2]); }
};

/// Voxels from `first` on, of this size.
struct Box {
  Place first{0, 0, 0}, size{1, 1, 1};

  Index voxels() const { return size[0] * size[1] * size[2]; }
  Place place(Index i) const {
    return {first[0] + i % size[0], first[1] + i / size[0] % size[1], first[2] + i / (size[0] * size[1])};
  }
  bool holds(const Place& p) const {
    for (std::size_t k = 0; k < 3; ++k)
      if (p[k] < first[k] || p[k] >= first[k] + size[k]) return false;
    return true;
  }
  Index at(const Place& p) const { return ((p[2] - first[2]) * size[1] + p[1] - first[1]) * size[0] + p[0] - first[0]; }
};

/// The part of the picture that is so many voxels around.
Box around(const Picture& picture, const Box& box, const Place& margin);

/// The smallest box around voxels, at least one.
Box box_of(const std::vector<Place>& places);

}  // namespace fovea::imaging::inpaint

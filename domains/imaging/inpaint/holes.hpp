#pragma once
/// Which missing voxels are filled together, and which holes of their shape are cut into known tissue near by.

#include "fovea/domains/imaging/inpaint/guesses.hpp"

namespace fovea::imaging::inpaint {

/// Missing voxels that are guessed together.
struct Hole {
  std::vector<Place> voxels;  ///< in the order of the picture
  Box box;                    ///< around them
  bool part = false;          ///< of a larger one, which goes on beside it
};

/// Missing voxels at most two steps apart belong together; what is larger than a block, and what is too many, is
/// divided by blocks. slices = 0: each slice by itself.
std::vector<Hole> holes_of(const Picture& picture, Index slices);

/// A hole cut into known tissue.
struct Cut {
  std::vector<Place> voxels;  ///< those of the hole's, moved, that are known
  double nearness = 1;        ///< exp(-distance^2 / (2 width^2)), width half the hole's, in its slice
  Place shift{0, 0, 0};
};

/// In the hole's own slices where there is room, else above and below: all of equal distance or none, so that a
/// mirrored picture has the mirrored cuts. At least so many, where there are, and at most so many voxels. Of a hole
/// for whose shape there is no room, or that is larger than that, its middle is cut, smaller and smaller. Voxels that
/// stay known: a quarter at least.
std::vector<Cut> cuts_near(const Picture& picture, const Hole& hole, Index most_voxels);

/// A number drawn by where a voxel lies about the middle of a box; the same for its mirror images.
std::uint64_t mirrored_hash(const Place& place, const Box& box);

/// The surroundings of some voxels, which are unknown there as all that is missing; `slices` across, `rough` stands at
/// the rim of the box where a hole goes on beyond it (empty: none does).
Patch patch_around(const Picture& picture, const std::vector<Place>& voxels, Index slices,
                   const std::vector<double>& rough);

/// All missing voxels roughly: means over ever larger cubes of what is known. Time linear in the voxels.
std::vector<double> rough_values(const Picture& picture);

}  // namespace fovea::imaging::inpaint

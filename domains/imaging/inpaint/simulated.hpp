#pragma once
/// Simulated volumes whose truth is known: soft and hard tissue that goes on from slice to slice, with noise.

#include "fovea/core/base/random.hpp"
#include "fovea/domains/imaging/inpaint/picture.hpp"

namespace fovea::imaging::inpaint {

struct SimulatedPlan {
  Place size{80, 80, 16};
  Index organs = 14;      ///< ellipsoids of a value of their own
  double texture = 0.06;  ///< deviation of waves within the organs
  double noise = 0.02;    ///< deviation in each voxel
  bool context = true;    ///< another image of the same organs, with other values
};

/// Values around 0 to 1; nothing is missing. A function of its arguments.
Picture simulated_picture(const SimulatedPlan& plan, const Random& random);

}  // namespace fovea::imaging::inpaint

#pragma once
/// By how much two images of the same ground are shifted: the peak of the correlation of their gradients.

#include "fovea/core/base/random.hpp"
#include "fovea/domains/fusion/match/match_scenes.hpp"

namespace fovea::fusion::match {

/// S1 shows at (r, c) what S2 shows at (r + row, c + column); pixels, with 95 % intervals.
struct ImageShift {
  double row = 0, row_low = 0, row_high = 0, column = 0, column_low = 0, column_high = 0;
  double correlation = 0;  ///< at the best whole shift
};

struct ShiftPlan {
  Index most = 5;    ///< largest whole shift that is looked at
  Index block = 32;  ///< side of the blocks that the bootstrap draws
  Index draws = 200;
};

/// Gradients of smoothed channels, their length summed over the channels, compared at whole shifts; a parabola through
/// the peak and its neighbours gives the fraction. Throws DataError (with the scene's name) where fewer than four
/// blocks are seen by both.
ImageShift image_shift(const PairScene& scene, const ShiftPlan& plan, const Random& random);

/// The scene with its S1 moved down and right by so many pixels, between pixels in proportion (of dB); what is beyond
/// the edge is missing.
PairScene with_moved_s1(const PairScene& scene, double down, double right);

}  // namespace fovea::fusion::match

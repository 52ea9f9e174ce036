#pragma once
/// `fovea inspect FILE` of images of two and three dimensions.

#include "fovea/core/lab/domain.hpp"
#include "fovea/datasets/images/volume.hpp"

namespace fovea::imaging::inspect {

Inspection inspection();

/// The middle slices side by side as people look at them, in grey with rows from above: seen from the feet (the left
/// side to the right), from the front, and from the left. A picture alone stays as it is. 0 to 255: from the 1 to the
/// 99 % quantile; NaN is 0.
struct MiddleSlices {
  Index width = 0;
  std::vector<std::uint8_t> grey;
};
MiddleSlices middle_slices(const datasets::images::Volume& volume);

}  // namespace fovea::imaging::inspect

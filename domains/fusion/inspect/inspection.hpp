#pragma once
/// `fovea inspect FILE` of lists of scenes, GeoTIFFs and stacks of dates.

#include "fovea/core/lab/domain.hpp"

namespace fovea::fusion::inspect {

Inspection inspection();

}  // namespace fovea::fusion::inspect

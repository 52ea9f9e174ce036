#pragma once
/// `fovea lags FILE`: which series of a file drives which, after how long. Even times are a question for lag.discover,
/// uneven ones for lag.pair.

#include "fovea/core/lab/door.hpp"

namespace fovea::lag::door {

Door lags();

}  // namespace fovea::lag::door

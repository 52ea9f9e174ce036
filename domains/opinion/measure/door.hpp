#pragma once
/// `fovea measure`: from a table of answers, or a network, to its measures of polarization.

#include "fovea/core/lab/door.hpp"

namespace fovea::opinion::measure {

Door door();

}  // namespace fovea::opinion::measure

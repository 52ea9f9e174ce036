#pragma once
/// `fovea jets FILE`: the jets of the events of a file.

#include "fovea/core/lab/door.hpp"

namespace fovea::particle::door {

Door jets();

}  // namespace fovea::particle::door

#pragma once
/// `fovea inspect FILE` of events and jets.

#include "fovea/core/lab/domain.hpp"

namespace fovea::particle::inspect {

Inspection inspection();

}  // namespace fovea::particle::inspect

#pragma once
/// `fovea inspect FILE...` of dated events.

#include "fovea/core/lab/domain.hpp"

namespace fovea::ehr::inspect {

Inspection inspection();

}  // namespace fovea::ehr::inspect

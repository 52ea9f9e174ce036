#pragma once
/// `fovea inspect FILE` of any table: what its columns hold, and how it is asked a question.

#include "fovea/core/lab/domain.hpp"

namespace fovea::study::inspect {

Inspection inspection();

}  // namespace fovea::study::inspect

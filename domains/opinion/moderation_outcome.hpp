#pragma once
/// What opinion.moderation concludes from all seeds: checks, figures, verdict.

#include "fovea/core/lab/results.hpp"

namespace fovea::opinion {

void conclude_moderation(Results& merged);

}  // namespace fovea::opinion

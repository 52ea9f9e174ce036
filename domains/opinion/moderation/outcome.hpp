#pragma once
/// What opinion.moderation concludes from all seeds: checks, figures, verdict.

#include "fovea/core/data/results.hpp"

namespace fovea::opinion::moderation {

void conclude_moderation(Results& merged);

}  // namespace fovea::opinion::moderation

#pragma once
/// What the page of ehr.known_decay says: checks, figures, verdict.

#include "fovea/core/data/results.hpp"

namespace fovea::ehr::decay {

/// Adds all of it to the merged results of the points.
///
/// Half-lives of less than an eighth of the window are shown, but not judged: a stay has too few events that young.
/// Tolerances are those for 4000 stays, wider for fewer: errors shrink with the root of their number. Of few intervals
/// the share that covers may miss the level by what chance does in 99 of 100 cases.
void conclude_known_decay(Results& merged);

}  // namespace fovea::ehr::decay

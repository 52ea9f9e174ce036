#pragma once
/// What the level of a run controls, in one or two sentences that are true of it: which error, by which procedure, over
/// which tests, and what must hold of the series.

#include <string>

#include "fovea/core/lab/door.hpp"

namespace fovea::lag::door {

/// Of lag.discover. Where no error rate is controlled it says so first.
std::string promise_of_links(const Results& results, const Config& config);
/// Of lag.pair.
std::string promise_of_pairs(const Results& results, const Config& config);

}  // namespace fovea::lag::door

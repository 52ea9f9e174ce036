#pragma once
/// What the level of a run controls, in one or two sentences that are true of it: which error, by which procedure, over
/// which tests, and what must hold of the series.

#include <string>

#include "fovea/core/data/results.hpp"
#include "fovea/domains/lag/discover/settings.hpp"
#include "fovea/domains/lag/pair/settings.hpp"

namespace fovea::lag::door {

/// Of lag.discover. Where no error rate is controlled it says so first.
std::string promise_of_links(const Results& results, const discover::DiscoverSettings& asked);
/// Of lag.pair.
std::string promise_of_pairs(const Results& results, const pair::PairAsked& asked);

}  // namespace fovea::lag::door

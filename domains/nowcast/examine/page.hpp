#pragma once
/// Arrays, tables, figures and findings of nowcasts.

#include "fovea/core/data/results.hpp"
#include "fovea/domains/nowcast/examine/causes.hpp"
#include "fovea/domains/nowcast/examine/standing.hpp"

namespace fovea::nowcast {

/// Over `date` nowcast, nowcast_low, nowcast_high, nowcast_ridge, nowcast_attention, recession, story; a table of
/// predictors, one of recessions, and over date and rank the causes.
void write_nowcasts(const ScoredMonths& scored, const std::vector<MonthCauses>& causes,
                    const std::vector<Standing>& standings, const std::vector<AroundEpisode>& episodes,
                    Results& results);

}  // namespace fovea::nowcast

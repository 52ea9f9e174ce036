#pragma once
/// Who listens to whom among camps.

#include "fovea/core/data/results.hpp"
#include "fovea/domains/opinion/simulate/recorder.hpp"

namespace fovea::opinion::simulate {

/// Adds camp_attention(from_camp, to_camp): the share of their attention that the members of a camp give to those of
/// another, mean over members; bots and media, and all who are in no camp of the least share, are groups of their own
/// among those heard. It is what the members hear when the members of a group say 1 and all others 0, so it costs as
/// much as a step for each camp. Nothing for models in which agents meet, for one group, and where all pairs of many
/// agents would be needed.
void write_camp_attention(const Crowd& crowd, const Recorder& recorder, Results& results);

/// The camp of each agent, counted from the lowest opinion to the highest; -1 for bots, media, and all who are not
/// there or are in none of the twelve largest camps of the least share.
std::vector<std::int64_t> camp_of_agents(const Recorder& recorder, const Crowd& crowd);

}  // namespace fovea::opinion::simulate

#pragma once
/// From what was recorded of a simulation to results, figures and a verdict.

#include "fovea/core/data/results.hpp"
#include "fovea/domains/opinion/simulate/recorder.hpp"
#include "fovea/domains/opinion/society/population.hpp"

namespace fovea::opinion::simulate {

/// Where a simulation ended.
struct SimulateEnd {
  std::int64_t steps = 0;  ///< until at rest, or all
  bool at_rest = false;
};

/// events: nullptr for none. idle: keys without effect, as sentences. random: of the test for modes.
void write_simulation(const SimulateAsked& asked, const society::Population& population, const Crowd& crowd,
                      const Recorder& recorder, const EventTable* events, const SimulateEnd& end,
                      const std::vector<std::string>& idle, const Random& random, Results& results);

/// Figures, headlines and the verdict; of one run or of a sweep.
void conclude_simulation(Results& merged);

/// Whether opinions are taken over as they are, so that their numbers are names; of results of several models: no.
bool takes_over(const Results& merged);

/// How a run ended, in sentences: camps, spread, network, peaks and poles. Of a sweep over one number: the mean at both
/// ends of its values; over several, or over words: from the least to the most.
std::string simulation_verdict(const Results& merged);

/// Notes, for a directed network, its closed classes and those whose opinions go round. Of DeGroot without noise,
/// shocks and own stubbornness it checks that each closed class (aperiodic, up to 2000 members; the first twelve)
/// holds, at the end, the mean that its left eigenvector gives of the start, which every step keeps.
void write_influence(const society::Population& population, const dynamics::Dynamics& dynamics,
                     const Recorder& recorder, const Matrix<double>& opinions, Results& results);

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

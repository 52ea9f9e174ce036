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
  Matrix<double> opinions;  ///< of all agents; NaN: not there
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

}  // namespace fovea::opinion::simulate

#pragma once
/// What a directed network says of the long run: closed classes, periods, and the limit of plain averaging.

#include "fovea/core/data/results.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/simulate/outcome.hpp"
#include "fovea/domains/opinion/society/population.hpp"

namespace fovea::opinion::simulate {

/// Notes, for a directed network, its closed classes and those whose opinions go round. Of DeGroot without noise,
/// shocks and own stubbornness it checks that each closed class (aperiodic, up to 2000 members; the first twelve)
/// holds, at the end, the mean that its left eigenvector gives of the start, which every step keeps.
void write_influence(const society::Population& population, const dynamics::Dynamics& dynamics,
                     const Recorder& recorder, const SimulateEnd& end, Results& results);

}  // namespace fovea::opinion::simulate

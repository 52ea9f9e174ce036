#pragma once
/// Steps of crowds, and what goes with them, as work to be repeated.

#include <memory>

#include "fovea/tests/benchmarks/ours/request.hpp"
#include "fovea/tests/benchmarks/ours/work.hpp"

namespace fovea::bench {

/// Fields of a request, with what they are when missing:
///   model=     attention, hegselmann_krause, degroot: a step of that model from the same start, on the line, or on a
///              random network (Erdos and Renyi) if mean_degree= is given
///              deffuant, algorithmic_bias (gamma = homophily=, on a network if mean_degree= is given), activity
///              (Baumann et al. 2020): a step from where the last one ended
///              edge_list: reading `lines=` edges from edges.csv in the working folder, which it writes
///              states: storing `states=` states, as=dataset or text (a file for each)
///   by=model   or kernel: attention on the line without the model around it, as NumPy has it; deffuant: a step from
///   the
///              same start
///   written=1  the model as formulas (also smooth_bounded_confidence); fast=0: every pair
///   agents= temperature=0.01 confidence=0.2 homophily=1 stubbornness=0
/// Opinions are even on [0, 1], numbers of Random(1). Writes opinions (double) and, on a network, sources and targets
/// (int64; each edge once).
std::unique_ptr<Work> opinion_work(const Request& request);

}  // namespace fovea::bench

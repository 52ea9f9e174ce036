#pragma once
/// The experiment "opinion.temperature": how a crowd that attends to itself polarizes as the temperature falls, and
/// whether it comes back when the temperature rises. The equations are in domains/opinion/README.md; every key is
/// declared in the schema.
///
/// One point of a sweep is one branch (cooling, heating or fresh) with one seed; it writes, over "temperature":
///   variance, sd, bimodality, esteban_ray, camps, largest_camp_share, camp_distance, nearest_camps, echo_chamber,
///   at_rest, steps; modularity, assortativity on a network; share_on_real_side, share_undecided when some members are
///   known; predicted_sd (Gaussian state, NaN where there is none); opinion_density(temperature, opinion);
///   attention(temperature, from, to); opinions(temperature, agent[, component]) or opinion_quantile(temperature,
///   quantile);
/// and the scalars transition_temperature, transition_half_width, predicted_transition (NaN where there is none).
/// A network adds names, drawing positions, edges, and plain label propagation beside the attention.

#include <memory>

#include "fovea/core/lab/experiment.hpp"

namespace fovea::opinion::temperature {

std::unique_ptr<Experiment> make_temperature_experiment();

}  // namespace fovea::opinion::temperature

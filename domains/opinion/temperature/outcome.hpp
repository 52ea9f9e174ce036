#pragma once
/// From a finished branch to results, and from the merged branches to the verdict.

#include "fovea/core/data/results.hpp"
#include "fovea/domains/opinion/temperature/settings.hpp"

namespace fovea::opinion::temperature {

/// Hands in everything that one branch found: arrays, predictions, checks of the Gaussian state, notes.
void write_outcome(const TemperatureSettings& settings, const society::Population& population, const Observer& observer,
                   const WalkResult& found, Results& results);

/// Adds what needs all branches: where cooling and heating jump, the area of the loop, known answers checked with the
/// engine, headlines, figures, the verdict. Works on one branch as well.
void write_verdict(Results& merged);

/// Hands in the figures of the page, for whatever variables there are. predicted: mark the predicted transition.
void add_figures(Results& merged, bool predicted);

}  // namespace fovea::opinion::temperature

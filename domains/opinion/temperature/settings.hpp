#pragma once
/// The keys of opinion.temperature, the rules between them, and what they mean for the parts.

#include <string>
#include <vector>

#include "fovea/core/config/config.hpp"
#include "fovea/domains/opinion/temperature/observe.hpp"
#include "fovea/domains/opinion/temperature/walk.hpp"

namespace fovea::opinion::temperature {

/// Every key with its unit, range, default and meaning.
Schema temperature_schema();

/// Complains about keys that contradict each other.
void check_settings(const Config& config, Complaints& complaints);

/// The temperatures of the grid, ascending: temperature.values, or count values from low to high.
std::vector<double> temperature_grid(const Config& config);

/// opinion^2 for the scores that have it, else 1.
std::string temperature_unit(const Config& config);

/// The model "attention", everybody or on the population's network. The population must outlive it.
std::unique_ptr<dynamics::Dynamics> make_crowd(const Config& config, const society::Population& population,
                                               const Random& random);
ObserverSettings observer_settings(const Config& config, const society::Population& population);
WalkSettings walk_settings(const Config& config);

/// True where the Gaussian state of theory.hpp is what the crowd should show: everybody hears everybody, Gaussian
/// score, one component, no noise, 0 < s < 1, anchors normal or Gaussian quantiles.
bool gaussian_state_applies(const Config& config);

}  // namespace fovea::opinion::temperature

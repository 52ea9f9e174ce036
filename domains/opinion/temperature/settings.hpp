#pragma once
/// The keys of opinion.temperature, the rules between them, and what they mean for the parts.

#include <string>

#include "fovea/core/config/config.hpp"
#include "fovea/domains/opinion/temperature/observe.hpp"
#include "fovea/domains/opinion/temperature/walk.hpp"

namespace fovea::opinion::temperature {

/// Every key with its unit, range, default and meaning.
Schema temperature_schema();

/// Complains about keys that contradict each other.
void check_settings(const Config& config, Complaints& complaints);

/// Members with a key have its default.
struct TemperatureSettings {
  TemperatureSettings() { model.stubbornness = 0.05; }

  dynamics::ModelSettings model;  ///< always "attention"
  ObserverSettings observer;      ///< but for the limit of the histogram
  WalkSettings walk;              ///< its temperatures are the grid
  society::PopulationSettings population;
  bool draw_network = true;
  bool gaussian_state = false;  ///< the Gaussian state of theory.hpp is what the crowd should show: everybody hears
                                ///< everybody, Gaussian score, one component, no noise, 0 < s < 1, anchors normal or
                                ///< Gaussian quantiles
  bool continuum = false;       ///< so many quantiles that they stand for infinitely many agents
  std::string unit() const;     ///< of the temperature: opinion^2 for the scores that have it, else 1
};
TemperatureSettings temperature_settings(const Config& config);

/// The model "attention", everybody or on the population's network. The population must outlive it.
std::unique_ptr<dynamics::Dynamics> make_crowd(const TemperatureSettings& settings,
                                               const society::Population& population, const Random& random);

}  // namespace fovea::opinion::temperature

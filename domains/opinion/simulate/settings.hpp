#pragma once
/// The keys of opinion.simulate and what they mean for its parts.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fovea/core/config/config.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/simulate/events.hpp"
#include "fovea/domains/opinion/society/agents_file.hpp"
#include "fovea/domains/opinion/society/population.hpp"

namespace fovea::opinion::simulate {

/// only: without the keys that do not count for this model, whose name is the default; nullptr: every key.
Schema simulate_schema(const dynamics::ModelEntry* only = nullptr);

/// Complains about keys that contradict each other, or that the model does not have.
void check_simulate(const Config& config, Complaints& complaints);

/// Refuses what several processes cannot compute together, a sentence for each key: all but crowds in which everybody
/// hears everybody by the Gaussian on the line, or alike, and whose starts follow from seed and number. Throws
/// ConfigError.
void check_simulated_by_ranks(const Config& config);

/// What happens to the crowd before a step.
struct Shock {
  std::int64_t step = 0;
  std::string kind;  ///< shift, set: opinions; or the control that is set
  double value = 0;
  double share = 1;  ///< of those who count, drawn at random: whose opinion is shifted or set
};

/// Members with a key have its default.
struct SimulateSettings {
  std::int64_t steps = 100;
  double tolerance = 1e-6;
  std::vector<std::int64_t> grid;     ///< steps whose states are recorded, 0 and `steps` among them
  std::vector<Shock> shocks;          ///< by step
  std::vector<std::string> measures;  ///< recorded besides the standard ones
  double camp_gap = 0.05;
  double least_share = 0.01;
  double alpha = 1.3;
  double limit = 0;           ///< of the histograms at first, > 0 where they are filled: they widen where opinions go
                              ///< beyond
  Index bins = 120;           ///< a multiple of 4
  Index agents_max = 100000;  ///< trajectories kept, evenly spread over the agents
  Index lines = 15;           ///< trajectories drawn
  Index networks = 5;         ///< states whose network is kept, where it changes
  Index network_max = 1500;   ///< networks of up to this many agents are drawn
  double resolution = 0;      ///< trajectories are rounded to multiples of it; 0: kept as floats
  std::int64_t states() const { return static_cast<std::int64_t>(grid.size()); }
};

/// What the config says; what 0 stands for follows from the population.
struct SimulateAsked : SimulateSettings {
  society::PopulationSettings population;
  dynamics::ModelSettings model;
  std::vector<double> bots, media;  ///< opinions
  Index bots_each = 1;
  double bots_reach = 1, media_reach = 100;
  std::vector<std::int64_t> shock_steps;
  std::vector<std::string> shock_kinds;
  std::vector<double> shock_values, shock_shares;
  std::string events;  ///< file
  Index states_max = 200;
};
SimulateAsked simulate_asked(const Config& config);

struct SimulateFiles {
  std::shared_ptr<const society::PopulationFiles> population;  ///< nullptr: the config names no file
  society::Traits traits;                                      ///< of start.file
  std::optional<EventTable> events;                            ///< of events.file
};
/// Throws DataError. Asks for the keys that reading needs alone.
SimulateFiles open_simulation(const Config& config);

/// The agents of a population, which hands over its anchors and stubbornness, with what their file and the bots' keys
/// add.
dynamics::Agents simulated_agents(const SimulateAsked& asked, society::Population& population,
                                  const society::Traits& traits);

/// The names of all agents: those of the file or network, else 0, 1, ...; then "bot 1", ... and "medium 1", ... of the
/// keys.
std::vector<std::string> simulated_names(const SimulateAsked& asked, const society::Population& population,
                                         Index agents);

SimulateSettings simulate_settings(const SimulateAsked& asked, const society::Population& population);

/// Sets the control that a shock names. Throws ArgumentError for a kind that is no control.
dynamics::Control control_of(const std::string& kind);

}  // namespace fovea::opinion::simulate
